import type { Run } from '../../domain/index.js'
import type { Call } from '../call.js'
import { requestRun } from '../runs/request-run.js'
import { loadEndpoint } from './load-endpoint.js'

/** A run now, beside whatever is planned. */
export async function runEndpoint(call: Call, id: string): Promise<Run> {
  const found = await loadEndpoint(call, id)
  return requestRun(call, found, { source: 'manual', replayOf: null })
}
