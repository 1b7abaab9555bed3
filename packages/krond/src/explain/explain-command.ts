import { type ExitCode, exitCodes, printAnswer } from '@kron/command'
import { type ExplainOptions as ExplainQuestion, explainAnswer, whichPeriod } from '@kron/preview'
import type { Invocation } from '../command/invocation.js'
import { selectJob } from '../command/job-selection.js'
import { krontabNotation } from '../command/notation.js'
import { responsibleSince } from './responsible-since.js'

export interface ExplainOptions extends ExplainQuestion {
  readonly identity?: string
  readonly state?: string
}

/** `krontab explain <job> [--at <time>] [--next]`. */
export function explainCommand(
  invocation: Invocation,
  argument: string,
  options: ExplainOptions,
): ExitCode {
  const which = whichPeriod(invocation, options)
  const selected = selectJob(invocation, argument, options.identity)
  const since = responsibleSince(invocation, selected.job, options.state)
  const named = { ...selected, responsibleSince: since }
  printAnswer(invocation, explainAnswer(named, which, krontabNotation))
  return exitCodes.success
}
