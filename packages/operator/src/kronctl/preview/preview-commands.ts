import { type ExitCode, exitCodes, printAnswers } from '@kron/command'
import {
  type ExplainOptions,
  explainAnswer,
  type NextOptions,
  nextAnswer,
  nextStretch,
  type SimulateOptions,
  simulateJobs,
  simulationRequest,
  whichPeriod,
} from '@kron/preview'
import type { KronctlInvocation } from '../invocation.js'
import { type SourceOptions, selectKronJobs } from '../source/index.js'
import { withResponsibility } from './responsibility-answer.js'

/** `kronctl next [names...] [--limit N] [--from <time>] [--until <time>]`. */
export async function nextCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions & NextOptions,
): Promise<ExitCode> {
  const stretch = nextStretch(invocation, options)
  const { jobs, broken } = await selectKronJobs(invocation, names, options)
  const answers = jobs.map((job) => nextAnswer(job, stretch, invocation.notation))
  printAnswers(invocation, answers)
  return broken > 0 ? exitCodes.refused : exitCodes.success
}

/** `kronctl explain [names...] [--at <time>] [--next]`. */
export async function explainCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions & ExplainOptions,
): Promise<ExitCode> {
  const which = whichPeriod(invocation, options)
  const { jobs, broken } = await selectKronJobs(invocation, names, options)
  const answers = jobs.map((job) =>
    withResponsibility(explainAnswer(job, which, invocation.notation), job, invocation.now),
  )
  printAnswers(invocation, answers)
  return broken > 0 ? exitCodes.refused : exitCodes.success
}

/** `kronctl simulate [names...] [--from <time>] [--for 24h] [--bucket 1m] [--out chart.svg]`. */
export async function simulateCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions & SimulateOptions,
): Promise<ExitCode> {
  const request = simulationRequest(invocation, options)
  const { jobs, broken } = await selectKronJobs(invocation, names, options)
  const compiled = jobs.map(({ job }) => job)
  simulateJobs(invocation, compiled, request, invocation.notation)
  return broken > 0 ? exitCodes.refused : exitCodes.success
}
