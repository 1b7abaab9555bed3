import {
  type ExitCode,
  exitCodes,
  type SimulateOptions,
  simulateJobs,
  simulationRequest,
} from '@kron/preview'
import type { Invocation } from '../cli/invocation.js'
import { mentionProblems } from '../cli/job-selection.js'
import { selectKrontabs } from '../cli/krontab-selection.js'
import { krontabNotation } from '../cli/notation.js'

/** `krontab simulate [--from <time>] [--for 24h] [--bucket 1m] [--out chart.svg]`. */
export function simulateCommand(invocation: Invocation, options: SimulateOptions): ExitCode {
  const request = simulationRequest(invocation, options)
  const files = selectKrontabs(invocation)
  const jobs = files.flatMap((file) => file.jobs.map((entry) => entry.job))
  simulateJobs(invocation, jobs, request, krontabNotation)
  const problems = mentionProblems(invocation, files)
  return problems > 0 ? exitCodes.configuration : exitCodes.success
}
