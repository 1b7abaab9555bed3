import type { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import {
  type ApiCall,
  type ApiPassage,
  FaultyKubeApi,
  MortalKubeApi,
  passingKubeApi,
} from '../../testing/kube-api/index.js'
import { Election, lease, start, times } from '../../testing/leadership/election.js'
import { ApiFailure, type KubeApi, leases } from '../kube/index.js'

describe('the election', () => {
  it('has one leader, for as long as it renews', async () => {
    const election = new Election()
    election.candidate('a')
    await election.clock.advanceBy(500)
    election.candidate('b', { skewMs: 86_400_000 })
    election.candidate('c', { skewMs: -86_400_000 })
    await election.clock.advanceBy(600_000)
    expect(election.led).toEqual([['a', 'began', 0]])
    expect(election.lease()).toMatchObject({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    })
  })

  it('hands over at once also when a renewal that arrived has no answer yet', async () => {
    const election = new Election()
    const { api } = election
    let answers = true
    const passage: ApiPassage = {
      async act(call, effect, signal) {
        const done = await effect(signal)
        if (!answers && call.verb === 'replace') {
          answers = true
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
          })
        }
        return done
      },
      follow: (_, open, signal) => open(signal),
    }
    const slow = passingKubeApi(api, passage)
    const a = election.candidate('a', { api: slow })
    await election.clock.advanceBy(500)
    election.candidate('b')
    answers = false
    await election.clock.advanceBy(2000)
    void a.stop()
    await election.clock.advanceBy(3000)
    election.check()
    expect(election.terms()).toEqual(['a began', 'a ended', 'b began'])
  })

  it('hands over at once when the leader stops', async () => {
    const election = new Election()
    const a = election.candidate('a')
    await election.clock.advanceBy(500)
    election.candidate('b')
    await election.clock.advanceBy(60_000)
    const stopped = a.stop()
    await election.clock.advanceBy(1500)
    await stopped
    expect(election.terms()).toEqual(['a began', 'a ended', 'b began'])
    const [, [, , endedAt], [, , beganAt]] = election.led as [
      unknown,
      [0, 0, number],
      [0, 0, number],
    ]
    expect(beganAt - endedAt).toBeLessThanOrEqual(times.lookMs)
  })

  it('hands over within the lease and two seconds when the leader dies', async () => {
    for (let diesAt = 1; diesAt < 30; diesAt++) {
      const election = new Election()
      const mortal = new MortalKubeApi(election.api)
      mortal.dieAt(diesAt, diesAt % 2 === 0 ? 'before' : 'after')
      election.candidate('a', { api: mortal })
      await election.clock.advanceBy(333)
      election.candidate('b')
      await election.clock.advanceBy(120_000)
      const lastRenewal = election.api.objects.get(leases, lease)['spec'] as { acquireTime: string }
      const beganAt = election.led.find(([who]) => who === 'b')?.[2] ?? Number.NaN
      expect(Date.parse(lastRenewal.acquireTime) - start).toBe(beganAt)
      const diedAt = mortal.isDead ? election.now() : 0
      expect(diedAt).toBeGreaterThan(0)
      // Renewals are two seconds apart, so the last was at most that long before the end.
      const calls = mortal.calls.length
      expect(beganAt).toBeLessThanOrEqual(calls * times.renewMs + times.durationMs + 2000)
      election.check()
    }
  })

  it('ends the term of a leader that can not renew, before another one begins', async () => {
    const election = new Election()
    const forever = {
      call: 5,
      fault: { kind: 'timed-out', timeoutMs: 30_000 },
      forever: true,
    } as const
    election.candidate('a', { api: new FaultyKubeApi(election.api, election.clock, forever) })
    await election.clock.advanceBy(333)
    election.candidate('b')
    await election.clock.advanceBy(60_000)
    expect(election.terms()).toEqual(['a began', 'a ended', 'b began'])
    const [, [, , endedAt], [, , beganAt]] = election.led as [
      unknown,
      [0, 0, number],
      [0, 0, number],
    ]
    expect(beganAt - endedAt).toBeGreaterThanOrEqual(times.durationMs - times.renewDeadlineMs)
  })

  it.each(['lost-answer', 'broken', 'throttled', 'conflict', 'cut'] as const)(
    'survives a %s at any call',
    async (kind) => {
      for (let call = 1; call < 12; call++) {
        const election = new Election()
        election.candidate('a', {
          api: new FaultyKubeApi(election.api, election.clock, { call, fault: kind }),
        })
        await election.clock.advanceBy(60_000)
        expect(election.led.map(([who]) => who)).toEqual(['a'])
      }
    },
  )

  it('ends a term when somebody else has taken the lease by hand', async () => {
    const election = new Election()
    const a = election.candidate('a')
    await election.clock.advanceBy(10_000)
    election.api.objects.patch(leases, lease, { spec: { holderIdentity: 'thief' } })
    await election.clock.advanceBy(2500)
    expect(a.isHeld()).toBe(false)
    expect(election.terms()).toEqual(['a began', 'a ended'])
  })
})

describe('a leader whose request is answered late', () => {
  const answerMs = 7000
  const cut = (): ApiFailure => new ApiFailure('the connection was reset', { status: null })

  /** That call is answered late, with a failure or not; of those after it only some are, at all. */
  function lateAnswer(
    api: KubeApi,
    clock: VirtualClock,
    isLate: (call: ApiCall) => boolean,
    { fails = false, answeredAfter = 0 } = {},
  ) {
    let answered = Number.POSITIVE_INFINITY
    const sentAt: number[] = []
    const late = passingKubeApi(api, {
      async act(call, effect, signal) {
        if (sentAt.length > 0 && --answered < 0) throw cut()
        const done = await effect(signal)
        if (sentAt.length > 0 || !isLate(call)) return done
        sentAt.push(clock.now().getTime() - start)
        await clock.sleep(answerMs)
        answered = answeredAfter
        if (fails) throw cut()
        return done
      },
      follow: (_, open, signal) => open(signal),
    })
    return { late, sentAt }
  }

  it.each<[string, (call: ApiCall) => boolean, object?]>([
    ['to create the lease', ({ verb }) => verb === 'create'],
    ['to renew it', ({ verb }) => verb === 'replace'],
    ['to renew it, and lost', ({ verb }) => verb === 'replace', { fails: true, answeredAfter: 1 }],
  ])('counts its term from when it asked %s', async (_, isLate, more = {}) => {
    const election = new Election()
    const { late, sentAt } = lateAnswer(election.api, election.clock, isLate, more)
    election.candidate('a', { api: late })
    await election.clock.advanceBy(333)
    election.candidate('b')
    await election.clock.advanceBy(60_000)
    election.check()
    expect(election.terms()).toEqual(['a began', 'a ended', 'b began'])
    expect(election.led[1]![2] - sentAt[0]!).toBe(times.renewDeadlineMs)
  })

  it('counts its term from when it asked to take over a lease', async () => {
    const election = new Election()
    const first = election.candidate('first')
    await election.clock.advanceBy(500)
    const isLate = ({ verb }: ApiCall): boolean => verb === 'replace'
    const { late, sentAt } = lateAnswer(election.api, election.clock, isLate)
    election.candidate('a', { api: late })
    void first.stop()
    await election.clock.advanceBy(2000)
    election.candidate('b')
    await election.clock.advanceBy(60_000)
    election.check()
    expect(election.terms()).toEqual([
      'first began',
      'first ended',
      'a began',
      'a ended',
      'b began',
    ])
    expect(election.led[3]![2] - sentAt[0]!).toBe(times.renewDeadlineMs)
  })
})

describe('a term', () => {
  it.each([
    ['is held until its deadline', 9_999, true],
    ['is not held any more at its deadline', 10_000, false],
  ])('of one that was frozen %s, before anything else happens', async (_, ms, isHeld) => {
    const election = new Election()
    const a = election.candidate('a')
    await election.clock.advanceBy(1)
    expect(a.isHeld()).toBe(true)
    a.freeze(ms - 1)
    expect([a.isHeld(), a.elector.isLeading]).toEqual([isHeld, isHeld])
  })
})
