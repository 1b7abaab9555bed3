import { type ExitCode, exitCodes, printAnswers } from '@kron/command'
import { type NextOptions, nextAnswer, nextStretch } from '@kron/preview'
import type { KronctlInvocation } from '../invocation.js'
import { type SourceOptions, selectKronJobs } from '../source/index.js'

/** `kronctl next [names...] [--count N] [--from <time>] [--until <time>]`. */
export async function nextCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions & NextOptions,
): Promise<ExitCode> {
  const stretch = nextStretch(invocation, options)
  const { jobs, broken } = await selectKronJobs(invocation, names, options)
  const answers = jobs.map((job) => nextAnswer(job, stretch, invocation.notation))
  printAnswers(invocation, answers)
  return broken > 0 ? exitCodes.configuration : exitCodes.success
}
