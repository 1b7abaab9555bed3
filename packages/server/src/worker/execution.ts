import type { Clock } from '@kron/runtime'
import type { Dispatcher, ExchangeResult } from '../dispatch/index.js'
import type { EndpointDefinition } from '../domain/index.js'
import { type ClaimedRun, type Outcome, StoreError } from '../store/index.js'
import type { DatabaseTime } from './database-time.js'
import type { RequestTemplate } from './request-template.js'
import { retryDelay } from './retry-delay.js'

export interface ExecutionPorts {
  readonly dispatcher: Dispatcher
  readonly time: DatabaseTime
  readonly clock: Clock
  readonly random: () => number
  readonly secrets: (run: ClaimedRun) => Promise<readonly string[]>
}

const secretsDelayMs = 100

/** Why a run of ours was stopped from outside. */
export type StopReason = 'user' | 'shutdown'

/**
 * Sends the request of a run, again as often as its retry allows, and says how it ended. Nothing
 * is sent once the lease may have run out, and what is under way then is given up: from that
 * instant on the run may be somebody else's.
 */
export async function execute(
  ports: ExecutionPorts,
  run: ClaimedRun,
  definition: EndpointDefinition,
  template: RequestTemplate,
  signal: AbortSignal,
): Promise<Outcome> {
  const { retry } = definition
  const mostAttempts = retry?.attempts ?? 1
  let startedAt: number | null = null
  let last: ExchangeResult | null = null
  let attempts = 0
  try {
    const secrets = await readSecrets(ports, run, signal)
    while (attempts < mostAttempts && !signal.aborted) {
      const leftMs = Math.floor(run.leaseUntil - ports.time.latest)
      if (leftMs <= 0) break
      attempts++
      const now = Math.floor(ports.time.earliest)
      startedAt ??= now
      const request = template.render(run, run.attempts + attempts, secrets, now)
      const timeoutMs = Math.min(request.timeoutMs, leftMs)
      last = await ports.dispatcher.send({ ...request, timeoutMs }, signal)
      if (last.status === 'success' || last.status === 'cancelled') break
      if (retry === null || attempts === mostAttempts) break
      const delay = retryDelay(retry, attempts, ports.random)
      if (ports.time.latest + delay >= run.leaseUntil) break
      await ports.clock.sleep(delay, signal).catch(() => undefined)
    }
  } catch (error) {
    // A store that is away, for the whole lease or until we stop, is no failure of the endpoint.
    const isStores = signal.aborted || error instanceof StoreError
    if (!isStores) return failed(ports, run, attempts, startedAt, error)
  }
  return ended(ports, run, attempts, startedAt, last, signal)
}

/** A store that is away for a moment delays the run; it does not make it fail. */
async function readSecrets(
  { secrets, clock, time }: ExecutionPorts,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (;;) {
    try {
      return await secrets(run)
    } catch (error) {
      const isOver = signal.aborted || time.latest + secretsDelayMs >= run.leaseUntil
      if (!(error instanceof StoreError) || isOver) throw error
      await clock.sleep(secretsDelayMs, signal).catch(() => undefined)
    }
  }
}

function ended(
  { time }: ExecutionPorts,
  run: ClaimedRun,
  attempts: number,
  startedAt: number | null,
  last: ExchangeResult | null,
  signal: AbortSignal,
): Outcome {
  const endedAt = Math.floor(time.earliest)
  const base = { ...ofRun(run), attempts: run.attempts + attempts, endedAt }
  if (last === null) {
    const reason = signal.aborted ? reasonOf(signal) : 'lease_expired'
    const error = { code: reason, message: 'the run was given up before anything was sent' }
    return { ...base, status: 'cancelled', reason, startedAt: endedAt, error, response: null }
  }
  return {
    ...base,
    status: last.status,
    reason: last.status === 'cancelled' ? reasonOf(signal) : null,
    startedAt: startedAt ?? endedAt,
    error: last.error,
    response:
      last.httpStatus === null
        ? null
        : {
            httpStatus: last.httpStatus,
            headers: last.headers,
            truncated: last.truncated,
            body: last.body,
          },
  }
}

/** A request that can't even be made: a sealed header without its key, a template that broke. */
function failed(
  { time }: ExecutionPorts,
  run: ClaimedRun,
  attempts: number,
  startedAt: number | null,
  error: unknown,
): Outcome {
  const endedAt = Math.floor(time.earliest)
  const message = error instanceof Error ? error.message : String(error)
  return {
    ...ofRun(run),
    attempts: run.attempts + attempts,
    status: 'failure',
    reason: null,
    startedAt: startedAt ?? endedAt,
    endedAt,
    error: { code: 'request_failed', message },
    response: null,
  }
}

/** A run that was claimed and is given back unsent. */
export function releasedRun({ time }: ExecutionPorts, run: ClaimedRun): Outcome {
  const now = Math.floor(time.earliest)
  return {
    ...ofRun(run),
    attempts: run.attempts,
    status: 'released',
    reason: null,
    startedAt: now,
    endedAt: now,
    error: null,
    response: null,
  }
}

function ofRun(run: ClaimedRun) {
  const { endpointId, scheduledFor, tenantId, fence, overlapping } = run
  return { endpointId, scheduledFor, tenantId, fence, overlapping }
}

const reasonOf = (signal: AbortSignal): StopReason =>
  signal.reason === 'shutdown' ? 'shutdown' : 'user'
