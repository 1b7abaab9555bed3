import { type ExitCode, exitCodes } from '@kron/command'
import { type SimulateOptions, simulateJobs, simulationRequest } from '@kron/preview'
import type { Invocation } from '../command/invocation.js'
import { mentionProblems } from '../command/job-selection.js'
import { selectKrontabs } from '../command/krontab-selection.js'
import { krontabNotation } from '../command/notation.js'

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
