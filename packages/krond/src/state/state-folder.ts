import { hash } from 'node:crypto'
import type { Disk, DiskEntry } from '../disk/disk.js'
import { attempt, unsafe } from './state-failure.js'

const kinds = {
  file: 'a file',
  folder: 'a folder',
  link: 'a symbolic link',
  other: 'a device or pipe',
}
const octal = (mode: number): string => `0${mode.toString(8)}`

/**
 * Makes the state folder if it is missing, and refuses one that others could write to or read.
 * Changes nothing else, so it may be called before the lock of the folder is held.
 */
export function prepareStateFolder(disk: Disk, folder: string, uid: number): void {
  const found = attempt('inspect', folder, () => disk.inspect(folder))
  if (found !== null && found.kind !== 'folder') throw unsafe(folder, kinds[found.kind], 'a folder')
  // Also when it exists: only this makes sure that its own name is durable.
  attempt('make', folder, () => disk.makeFolder(folder, 0o700))
  const entry = found ?? attempt('inspect', folder, () => disk.inspect(folder))
  if (entry?.kind !== 'folder') throw unsafe(folder, 'not there any more', 'a folder')
  checkOwner(folder, entry, uid)
  if ((entry.mode & 0o077) !== 0) {
    throw unsafe(folder, `open to others (${octal(entry.mode)})`, 'a folder with mode 0700')
  }
}

/** Refuses a state file that others could have written. */
export function checkStateFile(path: string, entry: DiskEntry, uid: number): void {
  if (entry.kind !== 'file') throw unsafe(path, kinds[entry.kind], 'a regular file')
  checkOwner(path, entry, uid)
  if ((entry.mode & ~0o600) !== 0) {
    throw unsafe(path, `one with mode ${octal(entry.mode)}`, 'a file with mode 0600')
  }
}

function checkOwner(path: string, entry: DiskEntry, uid: number): void {
  if (entry.uid === uid) return
  throw unsafe(path, `owned by user ${entry.uid}`, `owned by user ${uid}, the user of this process`)
}

/** Where the state of a job is kept; no part of the identity itself gets into a file name. */
export function stateFileName(identity: string): string {
  return `${hash('sha256', identity, 'hex')}.json`
}

export function temporaryName(fileName: string): string {
  return `${fileName}.tmp`
}

/** `<file>.corrupt.20260301T023220Z`; later ones of the same second get `.1`, `.2`, ... */
export function corruptName(fileName: string, at: Date, attempt: number): string {
  const second = at.toISOString().replace(/[-:]|\.\d+/g, '')
  return `${fileName}.corrupt.${second}${attempt === 0 ? '' : `.${attempt}`}`
}
