import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FileSource, systemFiles } from '@kron/command'
import { type MemoryHost, memoryHost } from '../../packages/krond/testing/command/memory-host.js'

export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Files that commands of the documentation read, in the folder in which they are called. */
export const fixtures = 'tools/documentation/fixtures'

/**
 * Paths are part of a job's identity and so of every decision. Documentation must not depend on
 * where the repository is: its examples see the repository here, and the examples as the krontabs
 * of the system.
 */
const folders: readonly (readonly [seen: string, real: string])[] = [
  ['/srv/kron', repository],
  ['/etc/krond.d', `${repository}/examples`],
]

export const documentationNow = Date.UTC(2026, 2, 1)

const folder = '/srv/kron'

export function documentationHost(uid = 0, pasted = noFiles): MemoryHost {
  const host = memoryHost({ now: documentationNow, cwd: folder, columns: 80, uid })
  return { ...host, files: filesWith(pasted) }
}

const noFiles: ReadonlyMap<string, string> = new Map()

/** The files that commands of the documentation see. */
export const seenFiles: FileSource = {
  kindOf: (path) => {
    const real = realPath(path)
    return real === null ? 'missing' : systemFiles.kindOf(real)
  },
  list: (folder) => systemFiles.list(realPath(folder) ?? ''),
  read: (path, most) => systemFiles.read(realPath(path) ?? '', most),
}

/** The same, and files that a document had its reader write, by their names. */
export function filesWith(pasted: ReadonlyMap<string, string>): FileSource {
  const textAt = (path: string): string | undefined =>
    path.startsWith(`${folder}/`) ? pasted.get(path.slice(folder.length + 1)) : undefined
  return {
    kindOf: (path) => (textAt(path) === undefined ? seenFiles.kindOf(path) : 'file'),
    list: (path) => seenFiles.list(path),
    read: (path, most) => {
      const text = textAt(path)
      return text === undefined ? seenFiles.read(path, most) : new TextEncoder().encode(text)
    },
  }
}

function realPath(path: string): string | null {
  const within = folders.find(([seen]) => path === seen || path.startsWith(`${seen}/`))
  if (within === undefined) return null
  const rest = path.slice(within[0].length)
  const fixture = `${repository}/${fixtures}${rest}`
  return within[1] === repository && rest !== '' && existsSync(fixture) ? fixture : within[1] + rest
}

export const readText = (path: string): string => readFileSync(`${repository}/${path}`, 'utf8')
