import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleId, sampleNow } from '../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../testing/sample-outcome.js'
import {
  body,
  claimed,
  endless,
  executed,
  failing,
  key,
  retry,
  start,
} from '../../testing/worker/executed-run.js'
import { Stop } from '../dispatch/index.js'
import type { Retry } from '../domain/index.js'
import type { Outcome } from '../scheduling/index.js'
import { createWebhookSecret, verify } from '../webhook/index.js'
import { releasedRun, retryDelay, withoutBody } from './execution.js'

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

  it('is sent in the last millisecond of its lease, and with no time left it is not', async () => {
    // It may be a millisecond later at the database than it said.
    const last = await executed({ run: { leaseUntil: sampleNow + 2 } })
    expect(last.sent.map(({ request }) => request.timeoutMs)).toEqual([1])
    const over = await executed({ run: { leaseUntil: sampleNow + 1 } })
    expect(over.sent).toEqual([])
    expect(over.outcome).toMatchObject({
      status: 'cancelled',
      reason: 'lease_expired',
      attempts: 0,
    })
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

  it('that would begin at the very end of the lease are not waited for', async () => {
    const { outcome } = await executed({
      change: { retry },
      target: () => ({ afterMs: 0, httpStatus: 503 }),
      run: { leaseUntil: sampleNow + 1 + retry.backoffMs },
    })
    expect(outcome).toMatchObject({ status: 'failure', attempts: 1, endedAt: sampleNow })
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
    let reads = 0
    const secrets = () => {
      reads++
      return []
    }
    const { stop, begin, ended, sent } = start({ secrets })
    stop.stop(reason)
    begin()
    expect(await ended()).toMatchObject({
      ...key,
      status: 'cancelled',
      reason,
      attempts: 0,
      error: { code: reason },
    })
    expect([sent, reads]).toEqual([[], 0])
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

const run = {
  endpointId: sampleId,
  tenantId: 'ten_00000000000000000000000001',
  scheduledFor: sampleNow,
  fence: 1,
  overlapping: false,
}

const outcomeWith = (response: Outcome['response']): Outcome =>
  sampleOutcome(run, sampleNow, { response })

describe('an outcome without its body', () => {
  it('keeps the rest of its response, and says that it is cut off where it is', () => {
    const whole = outcomeWith({ ...emptyResponse!, body: Buffer.from('hello') })
    expect(withoutBody(whole)).toEqual(outcomeWith(emptyResponse))
    const cut = { ...emptyResponse!, truncated: true }
    expect(withoutBody(whole, { truncated: true })).toEqual(outcomeWith(cut))
  })

  it.each([
    ['no response', null],
    ['an empty body', emptyResponse],
  ])('with %s is what it was', (_, response) => {
    const outcome = outcomeWith(response)
    expect(withoutBody(outcome, { truncated: true })).toEqual(outcomeWith(response))
  })
})

const tenTimes: Retry = { attempts: 10, backoffMs: 100, maxDelayMs: 5_000, jitter: 0 }

describe('the wait before another attempt', () => {
  it('doubles with each attempt that failed, up to its limit', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((failed) => retryDelay(tenTimes, failed, () => 0.5))
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('is never longer than its limit, and never no number, after however many attempts', () => {
    for (const failed of [31, 32, 1_000, 100_000]) {
      expect(retryDelay(tenTimes, failed, () => 0)).toBe(5_000)
      expect(retryDelay({ ...tenTimes, backoffMs: 0 }, failed, () => 0)).toBe(0)
    }
    expect(retryDelay({ ...tenTimes, backoffMs: 9_000 }, 1, () => 0)).toBe(5_000)
  })

  it('is shorter by the drawn part, and by no more than the jitter', () => {
    const jittered = { ...tenTimes, jitter: 0.4 }
    expect(retryDelay(jittered, 2, () => 0)).toBe(200)
    expect(retryDelay(jittered, 2, () => 0.5)).toBe(160)
    expect(retryDelay({ ...tenTimes, jitter: 1 }, 2, () => 0.75)).toBe(50)
    const draw = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
    fc.assert(
      fc.property(
        draw,
        draw,
        fc.nat(200_000),
        fc.nat(200_000),
        fc.integer({ min: 1, max: 50 }),
        (jitter, drawn, backoffMs, maxDelayMs, failed) => {
          const options = { attempts: 50, backoffMs, maxDelayMs, jitter }
          const full = retryDelay({ ...options, jitter: 0 }, failed, () => drawn)
          const delay = retryDelay(options, failed, () => drawn)
          expect(Number.isInteger(delay)).toBe(true)
          expect(delay).toBeLessThanOrEqual(full)
          expect(delay).toBeGreaterThanOrEqual(Math.floor(full * (1 - jitter)))
        },
      ),
      { numRuns: 1_000, seed: 31 },
    )
  })
})
