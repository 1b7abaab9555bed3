import type { OpenRunFilter } from '../../store/index.js'
import type { Call } from '../call.js'
import { withdraw } from '../endpoints/withdraw-runs.js'

/** Ends all that is pending or running of an endpoint or a job that goes away. */
export async function cancelOpenRuns(call: Call, of: OpenRunFilter, reason: string): Promise<void> {
  for (const run of await call.rows.runs.open(of)) await withdraw(call, run, reason)
}
