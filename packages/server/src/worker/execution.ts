import { backoffMs, type Clock, messageOf } from '@kron/runtime'
import type { Dispatcher, ExchangeResult, Stop } from '../dispatch/index.js'
import type { EndpointDefinition, Retry } from '../domain/index.js'
import type { Outcome } from '../scheduling/index.js'
import { type ClaimedRun, StoreError } from '../store/index.js'
import type { DatabaseTime } from './database-time.js'
import type { RequestTemplate } from './request-template.js'

export interface ExecutionPorts {
  readonly dispatcher: Dispatcher
  readonly time: DatabaseTime
  readonly clock: Clock
  readonly random: () => number
  /** At once where they are known. */
  readonly secrets: (
    tenantId: string,
    name: string | null,
  ) => readonly string[] | Promise<readonly string[]>
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
  templateOf: () => RequestTemplate,
  stop: Stop<StopReason>,
): Promise<Outcome> {
  const { retry } = definition
  let startedAt: number | null = null
  let last: ExchangeResult | null = null
  let attempts = 0
  try {
    const template = templateOf()
    while (!stop.isStopped) {
      // For each attempt: a secret that was replaced since the last one signs no more.
      const known = ports.secrets(run.tenantId, definition.secret)
      const secrets =
        known instanceof Promise ? await read(ports, known, run, definition, stop) : known
      const leftMs = Math.floor(run.leaseUntil - ports.time.latest)
      if (leftMs <= 0 || stop.isStopped) break
      attempts++
      const now = Math.floor(ports.time.earliest)
      startedAt ??= now
      const attempt = run.attempts + attempts
      const request = template.render(run, { attempt, secrets, now, leftMs })
      last = await ports.dispatcher.send(request, stop)
      if (last.status === 'success' || last.status === 'cancelled') break
      if (retry === null || attempts >= retry.attempts) break
      const delay = retryDelay(retry, attempts, ports.random)
      if (ports.time.latest + delay >= run.leaseUntil) break
      await ports.clock.sleep(delay, stop.signal).catch(() => undefined)
    }
  } catch (error) {
    // A store that is away, for the whole lease or until we stop, is no failure of the endpoint.
    const isStores = stop.isStopped || error instanceof StoreError
    if (!isStores) return failed(ports, run, attempts, startedAt, error)
  }
  return ended(ports, run, attempts, startedAt, last, stop)
}

/** A store that is away for a moment delays the run; it does not make it fail. */
async function read(
  { secrets, clock, time }: ExecutionPorts,
  known: Promise<readonly string[]>,
  run: ClaimedRun,
  { secret }: EndpointDefinition,
  stop: Stop<StopReason>,
): Promise<readonly string[]> {
  let looked: readonly string[] | Promise<readonly string[]> = known
  for (;;) {
    try {
      return await looked
    } catch (error) {
      const isOver = stop.isStopped || time.latest + secretsDelayMs >= run.leaseUntil
      if (!(error instanceof StoreError) || isOver) throw error
      await clock.sleep(secretsDelayMs, stop.signal).catch(() => undefined)
      looked = secrets(run.tenantId, secret)
    }
  }
}

function ended(
  { time }: ExecutionPorts,
  run: ClaimedRun,
  attempts: number,
  startedAt: number | null,
  last: ExchangeResult | null,
  stop: Stop<StopReason>,
): Outcome {
  const endedAt = Math.floor(time.earliest)
  const base = { ...ofRun(run), attempts: run.attempts + attempts, endedAt }
  if (last === null) {
    const reason = stop.reason ?? 'lease_expired'
    const error = { code: reason, message: 'the run was cancelled before its request was sent' }
    return { ...base, status: 'cancelled', reason, startedAt: endedAt, error, response: null }
  }
  return {
    ...base,
    status: last.status,
    reason: last.status === 'cancelled' ? (stop.reason ?? 'user') : null,
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

/** A request that can't be built: a sealed header without its key, a template that broke. */
function failed(
  { time }: ExecutionPorts,
  run: ClaimedRun,
  attempts: number,
  startedAt: number | null,
  error: unknown,
): Outcome {
  const endedAt = Math.floor(time.earliest)
  const message = messageOf(error)
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
export function releasedRun({ time }: Pick<ExecutionPorts, 'time'>, run: ClaimedRun): Outcome {
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

/** The outcome as if its response had no body, which is not kept or can't be. */
export function withoutBody(
  outcome: Outcome,
  change: { readonly truncated?: boolean } = {},
): Outcome {
  const { response } = outcome
  if (response === null || response.body.byteLength === 0) return outcome
  return { ...outcome, response: { ...response, body: new Uint8Array(), ...change } }
}

/**
 * The wait before an attempt: doubled each time up to its limit, and shorter by a drawn part, so
 * that what failed together does not come back together.
 */
export function retryDelay(
  { backoffMs: firstMs, maxDelayMs: maxMs, jitter }: Retry,
  failedAttempts: number,
  random: () => number,
): number {
  const full = backoffMs({ firstMs, maxMs }, failedAttempts)
  return Math.round(full * (1 - jitter * random()))
}
