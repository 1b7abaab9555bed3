import { join } from 'node:path'
import { ConfigurationError, quote, ValidationError } from '@kron/core'
import { decodeUtf8 } from './decode.js'
import type { FileKind, FileSource } from './file-source.js'
import type { KrontabFile } from './krontab-file.js'
import { krontabLimits } from './limits.js'
import { parseKrontab } from './parse-krontab.js'
import { ProblemList } from './problem-list.js'

/** Files of a folder that are krontabs. */
export const krontabExtension = '.krontab'

/**
 * The krontabs among absolute paths of files and folders, each once. Throws a ConfigurationError
 * for a path that is neither.
 */
export function findKrontabs(paths: readonly string[], files: FileSource): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    const kind = kindOfPath(path, files)
    if (kind === 'file') found.add(path)
    else if (kind === 'folder') for (const file of krontabsIn(path, files)) found.add(file)
    else {
      const what = kind === 'missing' ? 'no such file or folder' : 'not a file or folder'
      throw unreadable(path, what)
    }
  }
  return [...found]
}

/** Reads krontabs in order. Never throws: what is wrong with a file is in its `problems`. */
export function readKrontabs(paths: readonly string[], files: FileSource): KrontabFile[] {
  const read: KrontabFile[] = []
  let jobsBefore = 0
  for (const path of paths) {
    const file = readKrontab(path, files, jobsBefore)
    jobsBefore += file.jobs.length
    read.push(file)
  }
  return read
}

function readKrontab(path: string, files: FileSource, jobsBefore: number): KrontabFile {
  const text = readText(path, files)
  return typeof text === 'string' ? parseKrontab(text, path, { jobsBefore }) : text
}

/** The text of a file within its limits, or a file without jobs whose problem says why not. */
export function readText(path: string, files: FileSource): string | KrontabFile {
  let bytes: Uint8Array
  try {
    bytes = files.read(path, krontabLimits.fileBytes)
  } catch (error) {
    // What a source itself refuses, such as a file that is not trusted, it has the words for.
    const refused = error instanceof ConfigurationError
    return unusable(path, refused ? error : unreadable(path, reasonOf(error)))
  }
  if (bytes.length > krontabLimits.fileBytes) {
    const allowed = `at most ${krontabLimits.fileBytes} bytes`
    const message = `a krontab must have ${allowed}, this file is larger and is not read`
    return unusable(
      path,
      new ValidationError('KRON_FILE_LIMIT', message, { field: 'file', allowed }),
    )
  }
  const text = decodeUtf8(bytes)
  if (typeof text === 'string') return text
  const message = 'a krontab must be UTF-8 text, this byte is not; the file is not read'
  const details = { field: 'file', allowed: 'UTF-8', position: text.position }
  const error = new ConfigurationError('KRON_FILE_ENCODING', message, details)
  return unusable(path, error, text.line, text.source)
}

function unusable(
  path: string,
  error: ConfigurationError | ValidationError,
  line = 1,
  source = '',
): KrontabFile {
  const problems = new ProblemList(path)
  const start = error.details.position ?? 0
  problems.add(line, source, { start, end: start + 1 }, error)
  return { path, jobs: [], problems: problems.sorted(), broken: [] }
}

/** What a path is, or a ConfigurationError that says why it can't be told. */
export function kindOfPath(path: string, files: FileSource): FileKind {
  try {
    return files.kindOf(path)
  } catch (error) {
    throw unreadable(path, reasonOf(error))
  }
}

function krontabsIn(folder: string, files: FileSource): string[] {
  try {
    return files
      .list(folder)
      .filter((name) => name.endsWith(krontabExtension) && !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => files.kindOf(path) !== 'folder')
  } catch (error) {
    throw error instanceof ConfigurationError ? error : unreadable(folder, reasonOf(error))
  }
}

function unreadable(path: string, reason: string): ConfigurationError {
  return new ConfigurationError('KRON_FILE_UNREADABLE', `can't read ${quote(path)}: ${reason}`, {
    field: 'file',
    value: path,
    allowed: 'a file, or a folder with files',
    reason,
  })
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
