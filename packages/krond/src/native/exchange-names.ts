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
