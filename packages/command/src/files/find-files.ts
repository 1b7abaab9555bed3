import { join } from 'node:path'
import { ConfigurationError, quotePath } from '@kron/core'
import type { FileKind, FileSource } from './file-source.js'

/**
 * Files among absolute paths of files and folders, each once; of a folder those whose names end in
 * one of the extensions. Throws a ConfigurationError for a path that is neither.
 */
export function findFiles(
  paths: readonly string[],
  files: FileSource,
  extensions: readonly string[],
): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    const kind = kindOfPath(path, files)
    if (kind === 'file') found.add(path)
    else if (kind === 'folder') {
      for (const file of filesIn(path, files, extensions)) found.add(file)
    } else {
      const what = kind === 'missing' ? 'no such file or folder' : 'not a file or folder'
      throw unreadable(path, what)
    }
  }
  return [...found]
}

/** What a path is, or a ConfigurationError that says why it can't be told. */
export function kindOfPath(path: string, files: FileSource): FileKind {
  try {
    return files.kindOf(path)
  } catch (error) {
    throw unreadable(path, reasonOf(error))
  }
}

function filesIn(folder: string, files: FileSource, extensions: readonly string[]): string[] {
  try {
    return files
      .list(folder)
      .filter((name) => extensions.some((end) => name.endsWith(end)) && !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => files.kindOf(path) !== 'folder')
  } catch (error) {
    throw unreadableBecause(folder, error)
  }
}

/** What a source itself refuses, such as a file that is not trusted, it has the words for. */
export function unreadableBecause(path: string, error: unknown): ConfigurationError {
  return error instanceof ConfigurationError ? error : unreadable(path, reasonOf(error))
}

function unreadable(path: string, reason: string): ConfigurationError {
  return new ConfigurationError(
    'KRON_FILE_UNREADABLE',
    `can't read ${quotePath(path)}: ${reason}`,
    {
      field: 'file',
      value: path,
      allowed: 'a file, or a folder with files',
      reason,
    },
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
  ENAMETOOLONG: 'the name is too long',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (/^E[A-Z]+$/.test(code) ? code : 'reading failed')
}
