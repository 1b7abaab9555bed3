import { badArgument, instantArgument } from '../cli/argument.js'
import { type ExitCode, exitCodes } from '../cli/exit-code.js'
import type { Invocation } from '../cli/invocation.js'
import { selectJob } from '../cli/job-selection.js'
import { explainText } from './explain-text.js'
import { explanationOf } from './explanation.js'

export interface ExplainOptions {
  readonly at?: string
  readonly next: boolean
  readonly identity?: string
}

/** `krontab explain <job> [--at <time>] [--next]`. */
export function explainCommand(
  invocation: Invocation,
  argument: string,
  options: ExplainOptions,
): ExitCode {
  const at = options.at === undefined ? invocation.now : instantArgument('--at', options.at)
  const selected = selectJob(invocation, argument, options.identity)
  const { job } = selected
  const current = job.currentPeriod(at)
  const nominal = options.next ? job.nextPeriod(Math.max(at, current ?? at)) : current
  if (nominal === null) {
    const which = options.next ? 'after' : 'at or before'
    throw badArgument('--at', `the schedule has no period ${which} that time`)
  }
  const explanation = explanationOf(selected, nominal, at)
  if (invocation.format === 'json') invocation.printJson(explanation)
  else invocation.printLines(explainText(explanation, invocation.style))
  return exitCodes.success
}
