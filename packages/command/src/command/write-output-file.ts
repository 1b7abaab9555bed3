import { badArgument } from './argument.js'
import type { Invocation } from './invocation.js'

/** Writes the file that `--out` names. */
export function writeOutputFile(
  invocation: Invocation,
  out: string,
  content: string | Uint8Array,
): string {
  const path = invocation.absolute(out)
  try {
    invocation.host.writeFile(path, content)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    throw badArgument('--out', `can't write ${JSON.stringify(out)}: ${reason}`)
  }
  return path
}
