import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FileSource, systemFiles } from '@kron/command'
import { ConfigurationError, quotePath } from '@kron/core'
import { errnoOf } from '../disk/disk.js'
import {
  type Distrust,
  type FileFacts,
  untrustedFolderReason,
  untrustedReason,
} from './untrusted-reason.js'

/**
 * The files of this machine for a program that runs what they say: `read` throws a
 * ConfigurationError for a file that somebody other than root and `uid` could have written.
 *
 * The folders are looked at first, as they are named and as they really are. If all of them are
 * trusted, nobody else can move anything on the way to the file from then on. The file itself is
 * judged by the descriptor it is then read from, so that what was checked is what is read.
 */
export function trustedFiles(uid: number): FileSource {
  return {
    kindOf: systemFiles.kindOf,
    list(folder) {
      checkFolders(folder, uid)
      return systemFiles.list(folder)
    },
    read(path, most) {
      const folder = checkFolders(dirname(path), uid)
      return readChecked(path, join(folder, basename(path)), uid, most)
    },
  }
}

/** The real path of a folder that can be trusted with all folders above it. */
function checkFolders(folder: string, uid: number): string {
  checkUpward(folder, uid)
  const real = realpathSync(folder)
  if (real !== folder) checkUpward(real, uid)
  return real
}

function checkUpward(folder: string, uid: number): void {
  for (let at = folder; ; at = dirname(at)) {
    const distrust = untrustedFolderReason(at, factsOf(lstatSync(at)), uid)
    if (distrust !== null) throw untrusted(at, `its folder ${quotePath(at)}`, distrust)
    if (at === dirname(at)) return
  }
}

/** Opening must neither follow a link nor wait for the other end of a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function readChecked(path: string, real: string, uid: number, most: number): Uint8Array {
  const descriptor = openUnlinked(path, real, uid)
  try {
    const distrust = untrustedReason(path, factsOf(fstatSync(descriptor)), uid)
    if (distrust !== null) throw untrusted(path, 'the file', distrust)
    return readUpTo(descriptor, most + 1)
  } finally {
    closeSync(descriptor)
  }
}

function openUnlinked(path: string, real: string, uid: number): number {
  try {
    return openSync(real, openFlags)
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'ELOOP' && code !== 'ENXIO') throw error
    const kind = code === 'ELOOP' ? 'link' : 'other'
    throw untrusted(path, 'the file', untrustedReason(path, { kind, uid, mode: 0 }, uid)!)
  }
}

function readUpTo(descriptor: number, most: number): Uint8Array {
  const bytes = new Uint8Array(most)
  let length = 0
  for (;;) {
    const read = readSync(descriptor, bytes, length, most - length, null)
    length += read
    if (read === 0 || length === most) return bytes.subarray(0, length)
  }
}

function factsOf(stats: Stats): FileFacts {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other'
  return { kind, uid: stats.uid, mode: stats.mode & 0o7777 }
}

function untrusted(path: string, what: string, { reason, fix }: Distrust): ConfigurationError {
  return new ConfigurationError(
    'KRON_FILE_UNTRUSTED',
    `${what} ${reason}, so others could make krond run anything; fix: ${fix}`,
    { field: 'file', value: path, allowed: 'written by root or this user only', reason, fix },
  )
}
