import { type Cell, CommandFailure, type ExitCode, exitCodes } from '@kron/command'
import {
  type ApiClient,
  ApiProblem,
  type Query,
  type RunDocument,
  type ServerEvent,
} from '../client/index.js'
import type { Invocation } from '../invocation.js'
import { roughDuration } from '../text/distance.js'
import { statusCell } from '../text/status-tone.js'

/** Prints runs one on a line as they start and end, until somebody presses Ctrl-C. */
export async function followRuns(
  invocation: Invocation,
  events: AsyncGenerator<ServerEvent>,
  query: Query,
  before: readonly RunDocument[],
  names: ReadonlyMap<string, string>,
): Promise<ExitCode> {
  for (const run of before) print(invocation, run, names)
  for await (const { type, data } of events) {
    if (type !== 'run.started' && type !== 'run.ended') continue
    const run = await runOf(invocation.client, data)
    if (run !== null && isWanted(run, query)) print(invocation, run, names)
  }
  if (invocation.host.interrupted.aborted) return exitCodes.success
  throw new CommandFailure(exitCodes.unavailable, 'the server ended the stream of events')
}

/** null for a run that is gone before it could be read. */
async function runOf(client: ApiClient, data: unknown): Promise<RunDocument | null> {
  const { subject } = data as { readonly subject?: unknown }
  if (typeof subject !== 'string') return null
  try {
    return await client.get<RunDocument>(`/runs/${encodeURIComponent(subject)}`)
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 404) return null
    throw error
  }
}

/** Jobs and times are the server's to tell; what an event lacks is not filtered here. */
function isWanted(run: RunDocument, { endpointId, status, source }: Query): boolean {
  if (typeof endpointId === 'string' && run.endpointId !== endpointId) return false
  if (Array.isArray(status) && !status.includes(run.status)) return false
  return typeof source !== 'string' || run.source === source
}

function print(invocation: Invocation, run: RunDocument, names: ReadonlyMap<string, string>): void {
  if (invocation.isJson) {
    invocation.host.stdout.write(`${JSON.stringify(run)}\n`)
    return
  }
  invocation.printWords(wordsOf(run, names.get(run.endpointId) ?? run.endpointId))
}

function wordsOf(run: RunDocument, endpointName: string): Cell[] {
  const { endedAt, startedAt, durationMs, response, error, reason } = run
  const took = typeof durationMs === 'number' ? roughDuration(durationMs) : null
  const words: (Cell | null)[] = [
    endedAt ?? startedAt ?? run.scheduledFor,
    statusCell(run.status),
    ['strong', endpointName],
    response?.httpStatus ? `HTTP ${response.httpStatus}` : null,
    took === null ? null : `in ${took}`,
    error?.message ?? reason,
    ['faint', run.id],
  ]
  return words.filter((word) => word !== null)
}
