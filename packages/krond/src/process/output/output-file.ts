import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from 'node:fs'
import { posix } from 'node:path'
import { ExecutionError, quotePath } from '@kron/core'
import { codeOf, failureOf } from '../failure.js'
import type { Account } from '../processes.js'

const appendFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK
const createFlags = appendFlags | constants.O_CREAT | constants.O_EXCL
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const fileMode = 0o640
const maxAttempts = 8

/**
 * Opens a file that a job's output is appended to. It is opened with the rights of this process,
 * which may be root, on a path that the job's user may control; so for another account
 * - no folder of the path may be a symbolic link: each is opened in the one before, so that none
 *   can be exchanged in between;
 * - the file must be the account's own, or ours and without a second name.
 */
export function openOutputFile(path: string, account: Account | null, ownUid: number): number {
  const stranger = account !== null && account.uid !== ownUid ? account : null
  const folders: number[] = []
  try {
    const place = stranger === null ? path : enter(posix.normalize(path), folders)
    const opened = openOrCreate(place)
    try {
      if (opened.created) own(opened.descriptor, account)
      else check(opened.descriptor, path, account, ownUid)
    } catch (error) {
      closeSync(opened.descriptor)
      throw error
    }
    return opened.descriptor
  } catch (error) {
    throw failureOf(error, `output can't be appended to ${quotePath(path)}`, 'output', path)
  } finally {
    for (const folder of folders) closeSync(folder)
  }
}

/** Opens the folders of the path one in the other, and answers the file's name in the last. */
function enter(path: string, folders: number[]): string {
  const names = path.split('/').filter(Boolean)
  const file = names.pop() ?? '.'
  let within = '/'
  for (const name of names) {
    const folder = openSync(`${within}/${name}`, folderFlags)
    folders.push(folder)
    within = `/proc/self/fd/${folder}`
  }
  return `${within}/${file}`
}

function openOrCreate(path: string): { descriptor: number; created: boolean } {
  for (let attempt = 1; ; attempt++) {
    try {
      return { descriptor: openSync(path, createFlags, fileMode), created: true }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    try {
      return { descriptor: openSync(path, appendFlags), created: false }
    } catch (error) {
      // Removed since it was found to exist, as a log rotation does.
      const isGone = codeOf(error) === 'ENOENT'
      if (!isGone || attempt === maxAttempts) throw error
    }
  }
}

function own(descriptor: number, account: Account | null): void {
  fchmodSync(descriptor, fileMode)
  if (account !== null) fchownSync(descriptor, account.uid, account.gid)
}

function check(descriptor: number, path: string, account: Account | null, ownUid: number): void {
  const { uid, nlink, ...status } = fstatSync(descriptor)
  if (!fstatSync(descriptor).isFile()) throw refused(path, 'is not a regular file', status.mode)
  if (account === null || uid === account.uid) return
  if (uid !== ownUid) throw refused(path, `belongs to user ${uid}, not to ${account.name}`, uid)
  if (nlink !== 1) throw refused(path, `belongs to user ${uid} and has a second name`, uid)
}

function refused(path: string, reason: string, value: number): ExecutionError {
  return new ExecutionError(
    'KRON_EXECUTION',
    `output can't be appended: ${quotePath(path)} ${reason}`,
    {
      field: 'output',
      value,
      allowed: "a regular file of the job's user",
      path,
    },
  )
}
