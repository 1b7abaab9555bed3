import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ConfigurationError, quotePath } from '@kron/core'
import type { Replacement } from '../command/invocation.js'
import { errnoOf } from '../disk/disk.js'

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Puts a whole file in place at once: readers see the old one or the new one, also after a crash.
 * Mode and owner of an existing file stay. Throws a ConfigurationError when the file is a symbolic
 * link or is not what it was, and errors with a `code` as Node does.
 */
export function replaceFile(path: string, text: string, replacement: Replacement): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: replacement.folderMode })
  const existing = lstatSync(path, { throwIfNoEntry: false })
  if (existing !== undefined && !existing.isFile()) throw notAFile(path, existing)
  const temporary = join(folder, `.${basename(path)}.${process.pid}.new`)
  try {
    writeDurably(temporary, text, existing, replacement.fileMode)
    if (replacement.before === null) linkSync(temporary, path)
    else {
      if (replacement.before !== undefined) checkUnchanged(path, replacement.before)
      renameSync(temporary, path)
    }
    syncFolder(folder)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? changed(path) : error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function writeDurably(path: string, text: string, like: Stats | undefined, mode: number): void {
  rmSync(path, { force: true })
  const descriptor = openSync(path, createFlags, 0o600)
  try {
    writeFileSync(descriptor, text)
    if (
      like !== undefined &&
      (like.uid !== process.getuid?.() || like.gid !== process.getgid?.())
    ) {
      fchownSync(descriptor, like.uid, like.gid)
    }
    fchmodSync(descriptor, like === undefined ? mode : like.mode & 0o777)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function checkUnchanged(path: string, before: string): void {
  if (!readFileSync(path).equals(Buffer.from(before))) throw changed(path)
}

export function changed(path: string): ConfigurationError {
  return new ConfigurationError(
    'KRON_ARGUMENT_INVALID',
    `${quotePath(path)} was changed by somebody else just now, nothing was written`,
    { field: 'file', value: path, hint: 'hint: try again' },
  )
}

function notAFile(path: string, found: Stats): ConfigurationError {
  const what = found.isSymbolicLink() ? 'a symbolic link, which krond refuses' : 'no regular file'
  return new ConfigurationError('KRON_ARGUMENT_INVALID', `${quotePath(path)} is ${what}`, {
    field: 'file',
    value: path,
    hint: 'hint: name the file itself',
  })
}
