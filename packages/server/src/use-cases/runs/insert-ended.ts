import { runId } from '../../domain/index.js'
import type { EndedRun } from '../../scheduling/index.js'
import type { Call } from '../call.js'

/** Writes down a period that came and was not run, as workers do it. */
export async function insertEnded(
  { rows, tenantId, announce }: Call,
  run: EndedRun,
): Promise<void> {
  const { wasRunning: _, stretch, ...same } = run
  const inserted = await rows.runs.insert({
    ...same,
    tenantId,
    fence: 0,
    owner: null,
    claimedAt: null,
    startedAt: null,
    endedAt: rows.now,
    attempts: 0,
    response: null,
    notes: [],
    context: { failureCount: 0, ...(stretch && { stretch }) },
  })
  if (inserted) announce('run.ended', runId(run), run.status)
}
