import { type ExitCode, exitCodes, printAnswer } from '@kron/command'
import {
  type ExplainOptions as ExplainQuestion,
  explainAnswer,
  type NextOptions as NextQuestion,
  nextAnswer,
  nextStretch,
  type SimulateOptions,
  simulateJobs,
  simulationRequest,
  whichPeriod,
} from '@kron/preview'
import { type Invocation, krontabNotation } from '../command/invocation.js'
import { mentionProblems, selectJob, selectKrontabs } from '../command/selection.js'
import { responsibleSince } from './responsible-since.js'

export interface NextOptions extends NextQuestion {
  readonly identity?: string
}

/** `krontab next <job> [--limit N] [--from <time>] [--until <time>]`. */
export function nextCommand(
  invocation: Invocation,
  argument: string,
  options: NextOptions,
): ExitCode {
  const stretch = nextStretch(invocation, options)
  const selected = selectJob(invocation, argument, options.identity)
  printAnswer(invocation, nextAnswer(selected, stretch, krontabNotation))
  return exitCodes.success
}

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

/** `krontab simulate [files...] [--from <time>] [--for 24h] [--bucket 1m] [--out chart.svg]`. */
export function simulateCommand(
  invocation: Invocation,
  named: readonly string[],
  options: SimulateOptions,
): ExitCode {
  const request = simulationRequest(invocation, options)
  const files = selectKrontabs(invocation, [...invocation.fileArguments, ...named])
  const jobs = files.flatMap((file) => file.jobs.map((entry) => entry.job))
  simulateJobs(invocation, jobs, request, krontabNotation)
  const problems = mentionProblems(invocation, files)
  return problems > 0 ? exitCodes.refused : exitCodes.success
}
