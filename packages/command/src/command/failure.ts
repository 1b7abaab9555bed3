import { KronError } from '@kron/core'
import { messageOf } from '@kron/runtime'
import type { CommandHost } from './command-host.js'
import { isCommanderError } from './commander-error.js'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.js'

/** Says in a line what went wrong, and in the next what to do; never a stack trace. */
export function reportFailure(
  error: unknown,
  host: Pick<CommandHost, 'stderr'>,
  program: string,
  command?: string,
): ExitCode {
  const called = command === undefined ? program : `${program} ${command}`
  const [message, hint, code] = failureOf(error, called)
  const lines = [`${program}: ${message}`, ...(hint === null ? [] : [hint])]
  host.stderr.write(`${lines.join('\n')}\n`)
  return code
}

type Failure = readonly [message: string, hint: string | null, code: ExitCode]

function failureOf(error: unknown, called: string): Failure {
  if (isCommanderError(error)) {
    // commander proposes the nearest name on a line of its own.
    const [first, ...rest] = error.message.replace(/^error: /, '').split('\n')
    const message = [first, ...rest].join(' ').trim()
    return [message, `hint: ${called} --help shows how it is used`, exitCodes.input]
  }
  if (error instanceof KronError) {
    const { hint } = error.details
    return [error.message, typeof hint === 'string' ? hint : null, exitCodeOf(error)]
  }
  const message = messageOf(error)
  return [`internal error: ${message}`, 'hint: this is a bug, please report it', exitCodes.fatal]
}
