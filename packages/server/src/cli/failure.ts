import { type CommandHost, clean, type Failure } from '@kron/command'
import { excerpt, styleFor } from '@kron/runtime'
import { ApiProblem, type FieldProblem } from './client/api-problem.js'

/** What the server refused, as people read it; null for any other error. */
export const problemOf = (error: unknown, host: CommandHost): Failure | null =>
  error instanceof ApiProblem ? problemFailure(error, host) : null

function problemFailure(error: ApiProblem, host: CommandHost): Failure {
  const { problem, exitCode } = error
  const { errors } = problem
  const lines = errors.flatMap((each) => fieldLines(each, error, host))
  const message = `${errors.length === 0 ? problem.detail : problem.title} [${problem.code}]`
  const hint = hintOf(problem.status, problem.requestId)
  return { message, more: [...lines, ...hint], exitCode }
}

/** The field and what is expected of it; where a character is to blame, the text with a mark. */
function fieldLines(
  { field, message, code, position }: FieldProblem,
  error: ApiProblem,
  host: CommandHost,
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
