import { spawnSync } from 'node:child_process'
import { getSystemErrorName } from 'node:util'
import { foreignLibrary, optionalCall } from './foreign-library.js'

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
