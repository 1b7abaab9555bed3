import { decodeUtf8, type FileSource, findFiles, unreadableBecause } from '@kron/command'
import { ConfigurationError, ValidationError } from '@kron/core'
import type { KrontabFile } from './krontab-file.js'
import { krontabLimits } from './lines.js'
import { parseKrontab } from './parse-krontab.js'
import { ProblemList } from './problem-list.js'

/** Files of a folder that are krontabs. */
export const krontabExtension = '.krontab'

/** The krontabs among absolute paths of files and folders, each once. */
export function findKrontabs(paths: readonly string[], files: FileSource): string[] {
  return findFiles(paths, files, [krontabExtension])
}

/** Reads krontabs in order. Never throws: what is wrong with a file is in its `problems`. */
export function readKrontabs(paths: readonly string[], files: FileSource): KrontabFile[] {
  const read: KrontabFile[] = []
  let jobsBefore = 0
  for (const path of paths) {
    const text = readText(path, files)
    const file = typeof text === 'string' ? parseKrontab(text, path, { jobsBefore }) : text
    jobsBefore += file.jobs.length
    read.push(file)
  }
  return read
}

/** The text of a file within its limits, or a file without jobs whose problem says why not. */
export function readText(path: string, files: FileSource): string | KrontabFile {
  let bytes: Uint8Array
  try {
    bytes = files.read(path, krontabLimits.fileBytes)
  } catch (error) {
    return unusable(path, unreadableBecause(path, error))
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
