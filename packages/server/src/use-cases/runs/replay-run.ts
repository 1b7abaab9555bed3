import { type Run, runId } from '../../domain/index.js'
import type { Call } from '../call.js'
import { ServiceError } from '../service-error.js'
import { loadRunOfEndpoint } from './load-run.js'
import { requestRun } from './request-run.js'

/** Makes a run again, by what its endpoint is now. */
export async function replayRun(call: Call, id: string): Promise<Run> {
  const { run, found } = await loadRunOfEndpoint(call, id)
  if (found === null) {
    throw new ServiceError('endpoint_deleted', 'The endpoint of this run has been deleted.')
  }
  return requestRun(call, found, { source: 'replay', replayOf: runId(run) })
}
