import { KronError } from '@kron/core'
import { excerpt, messageOf, styleFor } from '@kron/runtime'
import { CommanderError } from 'commander'
import { ApiProblem, type FieldProblem } from './client/index.js'
import { CommandFailure } from './command-failure.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { clean } from './text/clean.js'

/** Says in a line what went wrong, then where, then what to do; never a stack trace. */
export function reportFailure(error: unknown, host: Host, called: string): ExitCode {
  const [message, more, code] = failureOf(error, host, called)
  host.stderr.write(`${[`kron: ${clean(message)}`, ...more].join('\n')}\n`)
  return code
}

type Failure = readonly [message: string, more: readonly string[], code: ExitCode]

function failureOf(error: unknown, host: Host, called: string): Failure {
  if (error instanceof CommanderError) {
    // commander proposes the nearest name on a line of its own.
    const message = error.message
      .replace(/^error: /, '')
      .replace(/\n/g, ' ')
      .trim()
    return [meant(message), [`hint: ${called} --help shows how it is used`], exitCodes.input]
  }
  if (error instanceof CommandFailure) return [error.message, error.hints, error.exitCode]
  if (error instanceof ApiProblem) return problemFailure(error, host)
  if (error instanceof KronError) return [error.message, [], exitCodes.input]
  const message = messageOf(error)
  const hint = 'hint: this is a bug, please report it'
  return [`internal error: ${message}`, [hint], exitCodes.fatal]
}

/** What people type who know other programs. */
const otherWords: Readonly<Record<string, string>> = {
  start: 'kron serve',
  server: 'kron serve',
  run: 'kron run-now',
  trigger: 'kron run-now',
  logs: 'kron runs',
  status: 'kron runs',
}

function meant(message: string): string {
  const word = /^unknown command '(.*)'$/.exec(message)?.[1] ?? ''
  return Object.hasOwn(otherWords, word)
    ? `${message} (Did you mean ${otherWords[word]}?)`
    : message
}

function problemFailure(error: ApiProblem, host: Host): Failure {
  const { problem, exitCode } = error
  const { errors } = problem
  const lines = errors.flatMap((each) => fieldLines(each, error, host))
  const message = `${errors.length === 0 ? problem.detail : problem.title} [${problem.code}]`
  const hint = hintOf(problem.status, problem.requestId)
  return [message, [...lines, ...hint], exitCode]
}

/** The field and what is expected of it; where a character is to blame, the text with a mark. */
function fieldLines(
  { field, message, code, position }: FieldProblem,
  error: ApiProblem,
  host: Host,
) {
  const line = `  ${clean(field)}: ${clean(message)} [${clean(code)}]`
  const source = (error.sent as Readonly<Record<string, unknown>> | undefined)?.[field]
  if (position === undefined || typeof source !== 'string') return [line]
  const { isTerminal, columns } = host.stderr
  const style = styleFor({ isTerminal, env: host.env, allowed: true })
  const marked = { source, column: position + 1, length: 1 }
  return [line, ...excerpt(marked, columns - 4, style, 'error').map((text) => `    ${text}`)]
}

function hintOf(status: number, requestId: string | null): string[] {
  if (status === 401) return ['hint: --key, KRON_KEY or KRON_KEY_FILE names another key']
  if (status >= 500 && requestId !== null) {
    return [`hint: the server's log has more under the request ${clean(requestId)}`]
  }
  return []
}
