import { messageOf } from '@kron/runtime'
/** What a process needs before it can do anything. */
export type StartPart = 'database' | 'sealing-key' | 'allow' | 'listener'

/** A part of a process that can't start, for a reason outside of the program. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly part: StartPart
  /** The code of the cause, such as EADDRINUSE or key_file_unsafe. */
  readonly code: string | undefined

  constructor(part: StartPart, cause: unknown) {
    super(reasonOf(cause), { cause })
    this.part = part
    this.code = codeOf(cause)
  }
}

/** Says which part it was that failed. */
export async function starting<T>(part: StartPart, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(part, error)
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** A name with several addresses fails with all of their errors, and no text of its own. */
function reasonOf(error: unknown): string {
  const several = severalOf(error) ?? severalOf((error as Error | null)?.cause)
  if (several !== null) return several.map(reasonOf).join(', ')
  return messageOf(error)
}

const severalOf = (error: unknown): readonly unknown[] | null =>
  error instanceof AggregateError && error.message === '' ? error.errors : null
