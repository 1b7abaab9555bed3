import { readFileSync, statSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createPrivateFile } from '../secrets/private-file.js'
import type { Host, HostFile } from './host.js'

/** Files of the user who started the program. */
export const userFiles: Pick<Host, 'readFile' | 'createFile' | 'removeFile'> = {
  readFile,
  createFile,
  removeFile: (path) => rm(path),
}

function readFile(path: string): HostFile | null {
  try {
    // Permissions of Windows are not in the mode: there is nothing to judge by.
    const isPrivate = process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
    return { text: readFileSync(path, 'utf8'), isPrivate }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function createFile(path: string, text: string): Promise<boolean> {
  const folder = dirname(path)
  await checkOwner(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return createPrivateFile(path, text)
}

/** With sudo the home may be of the user who typed it, who could not read a file of root there. */
async function checkOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid } = await nearest(folder)
  if (uid !== 0) throw new Error(`root does not write into the folder of another user (${uid})`)
}

async function nearest(folder: string): Promise<{ readonly uid: number }> {
  return stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearest(dirname(folder))
  })
}
