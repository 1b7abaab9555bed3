import { spawnSync } from 'node:child_process'
import { getSystemErrorName } from 'node:util'
import { foreignLibrary, optionalCall } from './foreign-library.js'

/** Of `renameat2`: the two names change places, at once. */
const exchangeFlag = 2
/** Paths are absolute, so the folder they would start from does not matter. */
const anyFolder = -100

/**
 * Has two files change their names in one step. Answers why it did not, as `ENOENT`, or null when
 * it did; undefined where there is no such call.
 */
export function exchangeNames(): ((a: string, b: string) => string | null) | undefined {
  const library = foreignLibrary()
  if (library === null) return undefined
  const definition = 'int renameat2(int, const char *a, int, const char *b, unsigned int flags)'
  const call = optionalCall(library, definition)
  if (call === null) return undefined
  return (a, b) => {
    if (call(anyFolder, a, anyFolder, b, exchangeFlag) === 0) return null
    return getSystemErrorName(-library.errno())
  }
}

const pipeMode = 0o600

/** Makes a named pipe that only we may open; throws an error that has a `code` when it can't. */
export function makePipe(path: string): void {
  makeNamed ??= pipeMaker()
  makeNamed(path)
}

let makeNamed: ((path: string) => void) | null = null

function pipeMaker(): (path: string) => void {
  const library = foreignLibrary()
  const call =
    library === null
      ? null
      : optionalCall(library, 'int mkfifo(const char *path, unsigned int mode)')
  if (library === null || call === null) return makeWithProgram
  return (path) => {
    if (call(path, pipeMode) !== 0) throw failure(getSystemErrorName(-library.errno()), path)
  }
}

/** Slower by a process, where the C library can't be called. */
function makeWithProgram(path: string): void {
  const { status, error } = spawnSync('mkfifo', ['-m', pipeMode.toString(8), path])
  if (status !== 0) throw error ?? failure('EIO', path)
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: mkfifo ${path}`), { code })
}
