import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exchangeNames } from '../native/file-calls.js'
import {
  type Disk,
  type DiskEntry,
  DiskError,
  type DiskFile,
  errnoOf,
  type OpenedFile,
} from './disk.js'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

// A pipe with the name of a state file would block us for ever when we open it.
const readOnly = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
const writeOnly = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
const folderOnly = O_RDONLY | O_DIRECTORY

/** The file system of this machine. */
export function systemDisk(): Disk {
  return {
    inspect,
    read: (path) => openFile(path, Number.POSITIVE_INFINITY).bytes,
    open: openFile,
    makeFolder,
    create,
    syncFolder,
    rename,
    replace: replacer(),
    list: (folder) => readdirSync(folder),
    link: (existing, name) => linkSync(existing, name),
    remove: (path) => unlinkSync(path),
  }
}

function inspect(path: string): DiskEntry | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  return entryOf(found)
}

function entryOf(stats: Stats): DiskEntry {
  const { mode, uid, size, mtimeMs } = stats
  return { kind: kindOf(stats), mode: mode & 0o7777, uid, size, modifiedAt: Math.floor(mtimeMs) }
}

function kindOf(found: Stats): DiskEntry['kind'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'folder'
  return found.isSymbolicLink() ? 'link' : 'other'
}

function openFile(path: string, most: number): OpenedFile {
  const descriptor = openSync(path, readOnly)
  try {
    const entry = entryOf(fstatSync(descriptor))
    if (entry.kind === 'other') throw new DiskError('EINVAL', 'read', path)
    return { entry, bytes: readUpTo(descriptor, Math.min(entry.size, most)) }
  } finally {
    closeSync(descriptor)
  }
}

function readUpTo(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let length = 0
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/**
 * The names of new folders are made durable as well: state that was synced inside a folder is
 * gone if the folder itself does not survive. One that exists may have been made by a process
 * that died before it came to that.
 */
function makeFolder(path: string, mode: number): void {
  const firstMade = mkdirSync(path, { recursive: true, mode })
  if (firstMade !== undefined) chmodSync(path, mode)
  const last = dirname(firstMade ?? path)
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    try {
      syncFolderNow(parent)
    } catch (error) {
      if (firstMade !== undefined || errnoOf(error) !== 'EACCES') throw error
    }
    if (parent === last || parent === dirname(parent)) return
  }
}

function syncFolderNow(folder: string): void {
  const descriptor = openSync(folder, folderOnly)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, folderOnly)
  try {
    await synced(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** File systems, and first saves of a job, that can only do with a rename. */
const renameInstead: readonly string[] = ['ENOENT', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP']

function replacer(): Disk['replace'] {
  const exchange = exchangeNames()
  if (exchange === undefined) return rename
  return async (from, to) => {
    const code = exchange(from, to)
    if (code === null) return
    // Of all others nobody knows whether the names were exchanged; renamed now, the old would win.
    if (!renameInstead.includes(code)) throw new DiskError(code, 'replace', from)
    await rename(from, to)
  }
}

/**
 * Only what waits for the device, or makes a new file, is left to another thread: to ask one and to
 * hear of it costs several times as much as the other calls.
 */
async function create(path: string, mode: number): Promise<DiskFile> {
  const descriptor = openExisting(path) ?? (await openNew(path, mode))
  try {
    const { nlink, size, mode: found } = fstatSync(descriptor)
    if (nlink > 1) return await createAnew(path, mode, descriptor)
    // The mode given to open is for a file that is new only, and less what the umask takes.
    if ((found & 0o7777) !== mode) fchmodSync(descriptor, mode)
    return new SystemFile(descriptor, size)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, writeOnly)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

function openNew(path: string, mode: number): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, writeOnly | O_CREAT, mode, (error, descriptor) => {
      if (error === null) resolve(descriptor)
      else reject(error)
    })
  })
}

/** The file has another name too, under which somebody keeps it with its contents. */
async function createAnew(path: string, mode: number, other: number): Promise<DiskFile> {
  await unlink(path)
  const descriptor = openSync(path, writeOnly | O_CREAT | O_EXCL, mode)
  fchmodSync(descriptor, mode)
  closeSync(other)
  return new SystemFile(descriptor, 0)
}

/**
 * Written over what was there: a file that keeps its blocks is much less work than one that is
 * emptied first. What is left of a longer one is cut off before the file is synced or closed.
 */
class SystemFile implements DiskFile {
  readonly #descriptor: number
  #size: number
  #written = 0

  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor
    this.#size = size
  }

  async write(bytes: Uint8Array): Promise<number> {
    const count = writeSync(this.#descriptor, bytes)
    this.#written += count
    return count
  }

  async sync(): Promise<void> {
    this.#cut()
    await synced(this.#descriptor)
  }

  async close(): Promise<void> {
    try {
      this.#cut()
    } finally {
      closeSync(this.#descriptor)
    }
  }

  #cut(): void {
    if (this.#size > this.#written) ftruncateSync(this.#descriptor, this.#written)
    this.#size = this.#written
  }
}

function synced(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => {
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
  })
}
