import { basename, dirname, join } from 'node:path'
import { type FileSource, kindOfPath } from '@kron/command'
import { ConfigurationError, quotePath } from '@kron/core'

/** Where Debian's cron and cronie keep the crontabs of users, each named after its user. */
const spoolFolders: readonly string[] = ['/var/spool/cron/crontabs', '/var/spool/cron']

/** The user of a crontab in cron's spool. */
export function spoolUser(path: string): string | undefined {
  return spoolFolders.includes(dirname(path)) ? basename(path) : undefined
}

/** Cron reads files of a folder only if run-parts would: no dots, no `~`, nothing else. */
export const isCrontabName = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)

/** The crontabs among absolute paths of files and folders, each once, in order. */
export function findCrontabs(paths: readonly string[], files: FileSource): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    const kind = kindOfPath(path, files)
    if (kind === 'file') found.add(path)
    else if (kind === 'folder') for (const file of crontabsIn(path, files)) found.add(file)
    else {
      const what = kind === 'missing' ? 'no such file or folder' : 'not a file or folder'
      throw unreadable(path, what)
    }
  }
  return [...found]
}

function crontabsIn(folder: string, files: FileSource): string[] {
  let names: readonly string[]
  try {
    names = files.list(folder)
  } catch (error) {
    throw error instanceof ConfigurationError ? error : unreadable(folder, 'reading failed')
  }
  return names
    .filter(isCrontabName)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => kindOfPath(path, files) === 'file')
}

function unreadable(path: string, reason: string): ConfigurationError {
  return new ConfigurationError(
    'KRON_FILE_UNREADABLE',
    `can't read ${quotePath(path)}: ${reason}`,
    {
      field: 'file',
      value: path,
      allowed: 'a crontab, or a folder with crontabs',
      reason,
    },
  )
}
