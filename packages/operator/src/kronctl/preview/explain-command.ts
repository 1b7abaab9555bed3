import { type ExitCode, exitCodes, printAnswers } from '@kron/command'
import { type ExplainOptions, explainAnswer, whichPeriod } from '@kron/preview'
import type { KronctlInvocation } from '../invocation.js'
import { type SourceOptions, selectKronJobs } from '../source/index.js'
import { withResponsibility } from './responsibility-answer.js'

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
  return broken > 0 ? exitCodes.configuration : exitCodes.success
}
