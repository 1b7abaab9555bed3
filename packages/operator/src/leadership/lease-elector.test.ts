import { createLog, VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { type KubeApi, leases } from '../kube/index.js'
import {
  type ApiPassage,
  FaultyKubeApi,
  MemoryKubeApi,
  MortalKubeApi,
  passingKubeApi,
} from '../kube/memory/index.js'
import { LeaseElector, type Term } from './lease-elector.js'

const start = Date.UTC(2026, 2, 1)
const lease = { namespace: 'kron', name: 'kron-operator' }
const times = { durationMs: 15_000, renewDeadlineMs: 10_000, renewMs: 2000, lookMs: 1000 }

/** Candidates for one lease; who led when, by the clock on the wall of the test. */
class Election {
  readonly clock = new VirtualClock(start)
  readonly api = new MemoryKubeApi({ clock: this.clock })
  readonly led: [who: string, what: 'began' | 'ended', atMs: number][] = []
  readonly #clock: VirtualClock = this.clock

  candidate(identity: string, api: KubeApi = this.api, skewMs = 0) {
    const stopping = new AbortController()
    const { clock } = this
    const log = createLog({
      format: 'json',
      level: 'error',
      component: 'test',
      clock,
      write: () => undefined,
    })
    const elapsed = (): number => this.now() + skewMs
    // Its wall clock is wrong by a day, which nobody should notice.
    const wrong = { now: () => new Date(clock.now().getTime() + skewMs), sleep: sleepOf(clock) }
    const elector = new LeaseElector(
      { lease, identity, ...times },
      { api, clock: wrong, elapsed, log },
    )
    let term: Term | null = null
    const running = elector.run(async (given) => {
      term = given
      this.led.push([identity, 'began', this.now()])
      await new Promise<void>((resolve) => {
        given.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      this.led.push([identity, 'ended', this.now()])
    }, stopping.signal)
    return {
      elector,
      isHeld: () => term?.isHeld() ?? false,
      stop: async () => {
        stopping.abort('stopped')
        await running
      },
    }
  }

  now(): number {
    return this.#clock.now().getTime() - start
  }

  /** That it was never led by two. */
  check(): void {
    let leader: string | null = null
    for (const [who, what] of this.led) {
      if (what === 'began') expect(leader).toBeNull()
      leader = what === 'began' ? who : null
    }
  }
}

const sleepOf = (clock: VirtualClock) => (ms: number, signal?: AbortSignal) =>
  clock.sleep(ms, signal)

describe('the election', () => {
  it('has one leader, for as long as it renews', async () => {
    const election = new Election()
    election.candidate('a')
    await election.clock.advanceBy(500)
    election.candidate('b', election.api, 86_400_000)
    election.candidate('c', election.api, -86_400_000)
    await election.clock.advanceBy(600_000)
    expect(election.led).toEqual([['a', 'began', 0]])
    expect(election.api.objects.get(leases, lease)['spec']).toMatchObject({
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
    const a = election.candidate('a', slow)
    await election.clock.advanceBy(500)
    election.candidate('b')
    answers = false
    await election.clock.advanceBy(2000)
    void a.stop()
    await election.clock.advanceBy(3000)
    election.check()
    expect(election.led.map(([who, what]) => `${who} ${what}`)).toEqual([
      'a began',
      'a ended',
      'b began',
    ])
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
    expect(election.led.map(([who, what]) => `${who} ${what}`)).toEqual([
      'a began',
      'a ended',
      'b began',
    ])
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
      election.candidate('a', mortal)
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
    election.candidate('a', new FaultyKubeApi(election.api, election.clock, forever))
    await election.clock.advanceBy(333)
    election.candidate('b')
    await election.clock.advanceBy(60_000)
    expect(election.led.map(([who, what]) => `${who} ${what}`)).toEqual([
      'a began',
      'a ended',
      'b began',
    ])
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
        election.candidate(
          'a',
          new FaultyKubeApi(election.api, election.clock, { call, fault: kind }),
        )
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
    expect(election.led.map(([who, what]) => `${who} ${what}`)).toEqual(['a began', 'a ended'])
  })
})

describe('a term', () => {
  it('is not held any more by one that was frozen, before anything else happens', async () => {
    const election = new Election()
    let frozenMs = 0
    const clock = election.clock
    const log = createLog({
      format: 'json',
      level: 'error',
      component: 't',
      clock,
      write: () => undefined,
    })
    const elector = new LeaseElector(
      { lease, identity: 'a', ...times },
      { api: election.api, clock, log, elapsed: () => election.now() + frozenMs },
    )
    const held: boolean[] = []
    void elector.run(async (term) => {
      held.push(term.isHeld())
      // While the process stood still, time went on.
      frozenMs = 20_000
      held.push(term.isHeld())
      await new Promise<void>((resolve) => {
        term.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }, new AbortController().signal)
    await clock.advanceBy(5000)
    expect(held.slice(0, 2)).toEqual([true, false])
  })
})
