import { VirtualClock } from '@kron/runtime/testing'
import {
  type Dispatcher,
  type ExchangeRequest,
  type ExchangeResult,
  Stop,
} from '../../src/dispatch/index.js'
import type { EndpointDefinition } from '../../src/domain/index.js'
import type { Outcome } from '../../src/scheduling/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../../src/secrets/index.js'
import type { ClaimedRun } from '../../src/store/index.js'
import { DatabaseTime } from '../../src/worker/database-time.js'
import { type ExecutionPorts, execute, type StopReason } from '../../src/worker/execution.js'
import { RequestTemplate } from '../../src/worker/request-template.js'
import { sampleEndpoint, sampleId, sampleNow } from '../sample-endpoint.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
export const body = new TextEncoder().encode('hello')

export const claimed: ClaimedRun = {
  endpointId: sampleId,
  tenantId: sampleEndpoint().tenantId,
  version: 1,
  scheduledFor: sampleNow,
  periodId: '2026-03-01T12:00:30Z',
  source: 'baseline-interval',
  fence: 7,
  leaseUntil: sampleNow + 60_000,
  attempts: 0,
  context: { failureCount: 0 },
  overlapping: false,
  replaces: 'nothing',
}

/** What the target does with a request: answers with a status after a time. */
type Target = (attempt: number) => { readonly afterMs: number; readonly httpStatus: number }

interface Sent {
  readonly atMs: number
  readonly request: ExchangeRequest
}

interface SetUp {
  readonly change?: Partial<EndpointDefinition>
  readonly run?: Partial<ClaimedRun>
  readonly target?: Target
  readonly secrets?: ExecutionPorts['secrets']
  /** How well the time at the database is known. */
  readonly roundTripMs?: number
}

/** A run that is executed in virtual time, with what was sent, by milliseconds from its start. */
export function start({ change = {}, run = {}, target, secrets, roundTripMs = 0 }: SetUp = {}) {
  const clock = new VirtualClock(sampleNow)
  const elapsed = () => clock.now().getTime() - sampleNow
  const time = new DatabaseTime(elapsed)
  time.observe(sampleNow, -roundTripMs, 0)
  const sent: Sent[] = []
  const answer: Target = target ?? (() => ({ afterMs: 100, httpStatus: 200 }))
  const dispatcher: Dispatcher = {
    close: async () => undefined,
    waiting: 0,
    send: async (request, { signal }) => {
      sent.push({ atMs: elapsed(), request })
      const { afterMs, httpStatus } = answer(sent.length)
      return exchange(clock, request, signal, afterMs, httpStatus)
    },
  }
  const ports: ExecutionPorts = {
    dispatcher,
    time,
    clock,
    random: () => 0,
    secrets: secrets ?? (async () => []),
  }
  const endpoint = sampleEndpoint(change)
  const template = new RequestTemplate(endpoint, vault)
  const stop = new Stop<StopReason>()
  const end: { outcome: Outcome | null } = { outcome: null }
  const ended = async (): Promise<Outcome> => {
    await clock.advanceBy(1_000_000)
    return end.outcome!
  }
  const begin = () => {
    const whole = { ...claimed, ...run }
    const { definition } = endpoint
    void execute(ports, whole, definition, () => template, stop).then((outcome) => {
      end.outcome = outcome
    })
  }
  return { clock, sent, ports, stop, end, begin, ended }
}

async function exchange(
  clock: VirtualClock,
  { timeoutMs }: ExchangeRequest,
  signal: AbortSignal,
  afterMs: number,
  httpStatus: number,
): Promise<ExchangeResult> {
  const startedAt = clock.now().getTime()
  const none = { httpStatus: null, headers: {}, body: new Uint8Array(), truncated: false }
  const at = () => ({ startedAt, endedAt: clock.now().getTime() })
  try {
    await clock.sleep(Math.min(afterMs, timeoutMs), signal)
  } catch {
    const error = { code: 'cancelled', message: 'cancelled' } as const
    return { ...none, status: 'cancelled', ...at(), error }
  }
  if (afterMs > timeoutMs) {
    return { ...none, status: 'timeout', ...at(), error: { code: 'timeout', message: 'slow' } }
  }
  const status = httpStatus < 300 ? 'success' : 'failure'
  const headers = { 'x-answer': 'yes' }
  return { status, httpStatus, headers, body, truncated: false, ...at(), error: null }
}

export const executed = async (options: SetUp) => {
  const world = start(options)
  world.begin()
  return { ...world, outcome: await world.ended() }
}

export const retry = { attempts: 4, backoffMs: 1_000, maxDelayMs: 10_000, jitter: 0 }
export const failing: Target = () => ({ afterMs: 100, httpStatus: 503 })
export const endless: Target = () => ({ afterMs: Number.MAX_SAFE_INTEGER, httpStatus: 200 })
export const key = {
  endpointId: sampleId,
  scheduledFor: sampleNow,
  tenantId: claimed.tenantId,
  fence: 7,
  overlapping: false,
}
