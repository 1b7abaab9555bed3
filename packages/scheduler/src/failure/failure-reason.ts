import { plainValue } from '@kron/runtime'

/**
 * Why something failed, as plain data. Loggers that write JSON make `{}` of an Error, since nothing
 * of it is enumerable; of this they keep everything.
 */
export interface FailureReason {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  /** Which task and which file, if an error of the scheduler knows. */
  readonly where?: string
  readonly stack?: string
  /** What caused it, if that is known. */
  readonly cause?: FailureReason
  /** Those of an AggregateError, the first of them. */
  readonly errors?: readonly FailureReason[]
}

const deepestCause = 8
const maxErrors = 10
const longestMessage = 10_000

/** Never throws, whatever was thrown. */
export function failureReason(error: unknown, depth = 0): FailureReason {
  const { name, message, code, where, stack, cause, errors } = membersOf(error)
  const isDeep = depth >= deepestCause
  return {
    name: text(name) || kindOf(error),
    message: text(message) ?? messageOf(error),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof where === 'string' ? { where } : {}),
    ...(typeof stack === 'string' ? { stack: stack.slice(0, longestMessage) } : {}),
    ...(cause === undefined || isDeep ? {} : { cause: failureReason(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep
      ? { errors: errors.slice(0, maxErrors).map((one) => failureReason(one, depth + 1)) }
      : {}),
  }
}

const memberNames = ['name', 'message', 'code', 'where', 'stack', 'cause', 'errors'] as const
type Members = { [Name in (typeof memberNames)[number]]?: unknown }

/** What is thrown need not be an Error, and to read a member of it may throw again. */
function membersOf(error: unknown): Members {
  if (typeof error !== 'object' || error === null) return {}
  const members: Members = {}
  for (const name of memberNames) {
    try {
      members[name] = (error as Members)[name]
    } catch {
      // As if it were not there.
    }
  }
  return members
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, longestMessage) : undefined

function kindOf(error: unknown): string {
  if (error instanceof Error) return 'Error'
  return error === null ? 'null' : typeof error
}

/** Of what is no Error: a text as it is, anything else as JSON. */
function messageOf(value: unknown): string {
  const plain = plainValue(value)
  if (plain === undefined) return 'undefined'
  return text(typeof plain === 'string' ? plain : JSON.stringify(plain))!
}
