import { VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { sampleEndpoint, sampleId, sampleNow } from '../../test/sample-endpoint.js'
import {
  type Dispatcher,
  type ExchangeRequest,
  type ExchangeResult,
  Stop,
} from '../dispatch/index.js'
import type { EndpointDefinition } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { type ClaimedRun, type Outcome, StoreError } from '../store/index.js'
import { createWebhookSecret, verify } from '../webhook/index.js'
import { DatabaseTime } from './database-time.js'
import { type ExecutionPorts, execute, releasedRun, type StopReason } from './execution.js'
import { RequestTemplate } from './request-template.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const body = new TextEncoder().encode('hello')

const claimed: ClaimedRun = {
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
function start({ change = {}, run = {}, target, secrets, roundTripMs = 0 }: SetUp = {}) {
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

const executed = async (options: SetUp) => {
  const world = start(options)
  world.begin()
  return { ...world, outcome: await world.ended() }
}

const retry = { attempts: 4, backoffMs: 1_000, maxDelayMs: 10_000, jitter: 0 }
const failing: Target = () => ({ afterMs: 100, httpStatus: 503 })
const endless: Target = () => ({ afterMs: Number.MAX_SAFE_INTEGER, httpStatus: 200 })
const key = {
  endpointId: sampleId,
  scheduledFor: sampleNow,
  tenantId: claimed.tenantId,
  fence: 7,
  overlapping: false,
}

describe('a run', () => {
  it('is sent once, and ends as the exchange ended', async () => {
    const { outcome, sent } = await executed({})
    expect(sent).toHaveLength(1)
    expect(outcome).toEqual({
      ...key,
      status: 'success',
      reason: null,
      startedAt: sampleNow,
      endedAt: sampleNow + 100,
      attempts: 1,
      error: null,
      response: { httpStatus: 200, headers: { 'x-answer': 'yes' }, truncated: false, body },
    })
  })

  it('is not sent again after a failure, unless it has a retry', async () => {
    const { outcome, sent } = await executed({ target: failing })
    expect(sent).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'failure', attempts: 1, response: { httpStatus: 503 } })
  })

  it('without a response has the error that the exchange had', async () => {
    const { outcome } = await executed({ target: endless })
    const error = { code: 'timeout', message: 'slow' }
    expect(outcome).toMatchObject({ status: 'timeout', error, response: null })
    expect(outcome.endedAt).toBe(sampleNow + 30_000)
  })

  it('is signed with its secrets', async () => {
    const secret = createWebhookSecret()
    const { sent } = await executed({ secrets: async () => [secret] })
    const now = () => sampleNow
    expect(verify([secret], sent[0]!.request.headers, '', { now }).valid).toBe(true)
  })

  it('is signed for each attempt with the secrets of that moment', async () => {
    const values = [createWebhookSecret(), createWebhookSecret()] as const
    let looks = 0
    const secrets = () => [values[looks++]!]
    const change = { retry: { ...retry, attempts: 2 } }
    const { sent } = await executed({ secrets, change, target: failing })
    expect(sent).toHaveLength(2)
    for (const [n, { request, atMs }] of sent.entries()) {
      const now = () => sampleNow + atMs
      expect(verify([values[n]!], request.headers, '', { now }).valid).toBe(true)
    }
  })

  it('counts its attempts on from those of earlier owners', async () => {
    const { outcome, sent } = await executed({
      change: { retry },
      run: { attempts: 3 },
      target: (attempt) => ({ afterMs: 100, httpStatus: attempt === 1 ? 500 : 200 }),
    })
    expect(sent.map(({ request }) => request.headers['kron-attempt'])).toEqual(['4', '5'])
    expect(outcome.attempts).toBe(5)
  })
})

describe('retries', () => {
  it('come after growing waits, until one succeeds', async () => {
    const { outcome, sent } = await executed({
      change: { retry },
      target: (attempt) => ({ afterMs: 100, httpStatus: attempt < 3 ? 503 : 200 }),
    })
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1_100, 3_200])
    expect(outcome).toMatchObject({
      status: 'success',
      attempts: 3,
      startedAt: sampleNow,
      endedAt: sampleNow + 3_300,
    })
  })

  it('end with the last attempt, without a wait after it', async () => {
    const { outcome, sent } = await executed({ change: { retry }, target: failing })
    expect(sent).toHaveLength(4)
    expect(outcome).toMatchObject({ status: 'failure', attempts: 4 })
    expect(outcome.endedAt).toBe(sampleNow + 7_400)
  })

  it('follow a time-out as well', async () => {
    const { sent } = await executed({
      change: { retry, timeoutMs: 500 },
      target: (attempt) => ({ afterMs: attempt === 1 ? 600 : 100, httpStatus: 200 }),
    })
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1_500])
  })

  it('that would begin when the lease may be over are not made', async () => {
    const atEnd = { change: { retry }, target: failing, run: { leaseUntil: sampleNow + 1_101 } }
    const { outcome, sent } = await executed(atEnd)
    expect(sent).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'failure', attempts: 1, endedAt: sampleNow + 100 })
    const before = { ...atEnd, run: { leaseUntil: sampleNow + 1_103 } }
    expect((await executed(before)).sent).toHaveLength(2)
  })
})

describe('a lease', () => {
  it('cuts short the time that an exchange has', async () => {
    const { outcome, sent } = await executed({
      run: { leaseUntil: sampleNow + 5_000 },
      target: endless,
      roundTripMs: 40,
    })
    // The database may be ahead by the round trip, by the millisecond that it cut off, and by drift.
    expect(sent[0]!.request.timeoutMs).toBe(5_000 - 40 - 1 - 1)
    expect(outcome).toMatchObject({ status: 'timeout', endedAt: sampleNow + 4_958 })
  })

  it('does not lengthen it', async () => {
    const { sent } = await executed({ change: { timeoutMs: 200 } })
    expect(sent[0]!.request.timeoutMs).toBe(200)
  })

  it.each([-1_000, 0, 1, 41])('with %d ms left by the database sends nothing', async (leftMs) => {
    const { outcome, sent } = await executed({
      run: { leaseUntil: sampleNow + leftMs },
      roundTripMs: 40,
    })
    expect(sent).toEqual([])
    expect(outcome).toMatchObject({
      ...key,
      status: 'cancelled',
      reason: 'lease_expired',
      attempts: 0,
      error: { code: 'lease_expired' },
      response: null,
    })
  })

  it('that ends while secrets are read sends nothing', async () => {
    const world = start({ secrets: () => world.clock.sleep(60_000).then(() => []) })
    world.begin()
    expect(await world.ended()).toMatchObject({ status: 'cancelled', reason: 'lease_expired' })
    expect(world.sent).toEqual([])
  })
})

describe('a run that is stopped', () => {
  it.each(['user', 'shutdown'] as const)('by %s before it begins is not sent', async (reason) => {
    const { stop, begin, ended, sent } = start()
    stop.stop(reason)
    begin()
    expect(await ended()).toMatchObject({
      ...key,
      status: 'cancelled',
      reason,
      attempts: 0,
      error: { code: reason },
    })
    expect(sent).toEqual([])
  })

  it.each(['user', 'shutdown'] as const)(
    'by %s while it is sent is not sent again',
    async (reason) => {
      const { clock, stop, begin, ended, sent } = start({ change: { retry }, target: endless })
      begin()
      await clock.advanceBy(250)
      stop.stop(reason)
      expect(await ended()).toMatchObject({
        status: 'cancelled',
        reason,
        attempts: 1,
        startedAt: sampleNow,
        endedAt: sampleNow + 250,
      })
      expect(sent).toHaveLength(1)
    },
  )

  it('by its dispatcher, which closes, is not sent again', async () => {
    const { ports, begin, ended, sent } = start({ change: { retry } })
    const { send } = ports.dispatcher
    const closed = new Stop()
    closed.stop('closed')
    ports.dispatcher.send = (request) => send(request, closed)
    begin()
    expect(await ended()).toMatchObject({ status: 'cancelled', attempts: 1 })
    expect(sent).toHaveLength(1)
  })

  it('between two attempts ends at once, as its last attempt did', async () => {
    const { clock, stop, begin, ended, sent } = start({ change: { retry }, target: failing })
    begin()
    await clock.advanceBy(500)
    stop.stop('user')
    expect(await ended()).toMatchObject({
      status: 'failure',
      attempts: 1,
      endedAt: sampleNow + 500,
    })
    expect(sent).toHaveLength(1)
  })
})

describe('secrets that can not be read', () => {
  const away = new StoreError('unavailable', 'the store is away', 'no')

  it('delay a run while the store is away, and do not make it fail', async () => {
    let reads = 0
    const secrets = async () => {
      if (++reads < 4) throw away
      return []
    }
    const { outcome, sent } = await executed({ secrets })
    expect(sent.map(({ atMs }) => atMs)).toEqual([300])
    expect(outcome).toMatchObject({ status: 'success', startedAt: sampleNow + 300 })
  })

  it('end a run unsent with its lease', async () => {
    const secrets = () => Promise.reject(away)
    const { outcome, sent } = await executed({ secrets, run: { leaseUntil: sampleNow + 5_000 } })
    expect(sent).toEqual([])
    expect(outcome).toMatchObject({ ...key, attempts: 0, response: null })
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'lease_expired' })
    expect(outcome.endedAt).toBeLessThan(sampleNow + 5_000)
  })

  it('for another reason make it fail at once, and say why', async () => {
    const secrets = () => Promise.reject(new Error('the key is not known'))
    const { outcome, sent } = await executed({ secrets })
    expect(sent).toEqual([])
    expect(outcome).toEqual({
      ...key,
      status: 'failure',
      reason: null,
      startedAt: sampleNow,
      endedAt: sampleNow,
      attempts: 0,
      error: { code: 'request_failed', message: 'the key is not known' },
      response: null,
    })
  })

  it('do not turn a run that is stopped meanwhile into a failure', async () => {
    const world = start({ secrets: () => Promise.reject(away) })
    world.begin()
    await world.clock.advanceBy(1_050)
    world.stop.stop('shutdown')
    expect(await world.ended()).toMatchObject({
      status: 'cancelled',
      reason: 'shutdown',
      attempts: 0,
      endedAt: sampleNow + 1_050,
    })
  })
})

describe('a run that is given back', () => {
  it('has the attempts that it had, and no result', () => {
    const { ports } = start()
    expect(releasedRun(ports, { ...claimed, attempts: 2 })).toEqual({
      ...key,
      status: 'released',
      reason: null,
      startedAt: sampleNow,
      endedAt: sampleNow,
      attempts: 2,
      error: null,
      response: null,
    })
  })
})
