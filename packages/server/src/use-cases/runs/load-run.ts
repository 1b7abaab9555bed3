import { type EndpointWithPlan, parseRunId, type Run } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

/** The run, locked until the call ends. */
export async function loadRun({ rows }: Call, id: string): Promise<Run> {
  const key = parseRunId(id)
  return there(key === null ? null : await rows.runs.get(key))
}

/** The same without a lock: the worker that records it must not wait for whoever looks at it. */
export async function readRun({ rows }: Call, id: string): Promise<Run> {
  const key = parseRunId(id)
  return there(key === null ? null : await rows.runs.read(key))
}

function there(run: Run | null): Run {
  if (run === null) throw notFound('run')
  return run
}

/**
 * A run that is to be changed, with its endpoint unless that was deleted. The endpoint is locked
 * first, as workers do it: two that lock in different orders would wait for each other.
 */
export async function loadRunOfEndpoint(
  call: Call,
  id: string,
): Promise<{ readonly run: Run; readonly found: EndpointWithPlan | null }> {
  const key = parseRunId(id)
  const found = key === null ? null : await call.rows.endpoints.get(key.endpointId)
  return { run: await loadRun(call, id), found }
}
