import { type ExitCode, exitCodes } from '@kron/command'
import { type SimulateOptions, simulateJobs, simulationRequest } from '@kron/preview'
import type { KronctlInvocation } from '../invocation.js'
import { type SourceOptions, selectKronJobs } from '../source/index.js'

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
  return broken > 0 ? exitCodes.configuration : exitCodes.success
}
