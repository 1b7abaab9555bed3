import { type RunStatus, runId } from '../../domain/index.js'
import type { RunFilter } from '../../store/index.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'

const open: readonly RunStatus[] = ['pending', 'running']

/** Ends all that is pending or running of an endpoint or a job that goes away. */
export async function cancelOpenRuns(
  { rows, announce }: Call,
  filter: Pick<RunFilter, 'endpointId' | 'jobId'>,
  reason: string,
): Promise<void> {
  const runs = everyItem((page) => rows.runs.list({ ...filter, ...page, status: open }))
  for await (const run of runs) {
    const { endpointId, scheduledFor } = run
    await rows.runs.end(run, { status: 'cancelled', reason, at: rows.now })
    rows.abort({ endpointId, scheduledFor })
    announce('run.ended', runId(run), 'cancelled')
  }
}
