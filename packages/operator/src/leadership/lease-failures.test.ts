import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type ApiCall, FaultyKubeApi, passingKubeApi } from '../../testing/kube-api/index.js'
import { Election, lease, times } from '../../testing/leadership/election.js'
import { type KubeApi, leases } from '../kube/index.js'

const isReplace = ({ verb }: ApiCall): boolean => verb === 'replace'

/** The API of a candidate, with when it asked for what, and calls that are never answered. */
function observed(
  election: Election,
  api: KubeApi = election.api,
  hangs: (call: ApiCall) => boolean = () => false,
) {
  const asked: string[] = []
  const unanswered: (AbortSignal | undefined)[] = []
  const passing = passingKubeApi(api, {
    act: (call, effect, signal) => {
      asked.push(`${call.verb} ${election.now()}`)
      if (!hangs(call)) return effect(signal)
      unanswered.push(signal)
      return new Promise<never>(() => undefined)
    },
    follow: (_, open, signal) => open(signal),
  })
  return { api: passing, asked, unanswered }
}

const faulty = (election: Election, fault: 'broken' | 'conflict' | 'cut', of: typeof isReplace) =>
  new FaultyKubeApi(election.api, election.clock, { call: 1, fault, of, forever: true })

describe('a leader', () => {
  it('renews every two seconds, and says who it is', async () => {
    const election = new Election()
    const { api, asked } = observed(election)
    const a = election.candidate('a', { api })
    expect(a.elector.holder).toBe('')
    await election.clock.advanceBy(6100)
    expect(asked).toEqual(['get 0', 'create 0', 'replace 2000', 'replace 4000', 'replace 6000'])
    expect(a.elector.holder).toBe('a')
    expect(election.lease()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-03-01T00:00:00.000000Z',
      renewTime: '2026-03-01T00:00:06.000000Z',
    })
    expect(election.logged()).toEqual(['leading'])
    expect(election.lines[0]).toMatchObject({ level: 'info', lease_holder: 'a' })
  })

  it('counts the two seconds from when it asked, however long the answer takes', async () => {
    const election = new Election()
    const slow = passingKubeApi(election.api, {
      act: async (_, effect, signal) => {
        const done = await effect(signal)
        await election.clock.sleep(500)
        return done
      },
      follow: (_, open, signal) => open(signal),
    })
    const { api, asked } = observed(election, slow)
    election.candidate('a', { api })
    await election.clock.advanceBy(6100)
    expect(asked).toEqual(['get 0', 'create 0', 'replace 2000', 'replace 4000', 'replace 6000'])
  })

  it('asks again soon after a renewal that failed, and looks at the lease in between', async () => {
    const election = new Election()
    const { api, asked } = observed(election, faulty(election, 'broken', isReplace))
    election.candidate('a', { api })
    await election.clock.advanceBy(3100)
    expect(asked.slice(2)).toEqual([
      'replace 2000',
      'get 2000',
      'replace 2500',
      'get 2500',
      'replace 3000',
      'get 3000',
    ])
    const failure = { event: 'error', operation: 'renew_lease', level: 'error' }
    expect(election.lines.slice(1)).toMatchObject([failure, failure, failure])
  })

  it('whose renewals do not arrive has ended when another one begins, though it can look', async () => {
    const election = new Election()
    const a = election.candidate('a', { api: faulty(election, 'broken', isReplace) })
    await election.clock.advanceBy(333)
    const b = election.candidate('b')
    await election.clock.advanceBy(times.renewDeadlineMs - 333)
    expect(election.led).toEqual([
      ['a', 'began', 0],
      ['a', 'ended', times.renewDeadlineMs],
    ])
    expect(election.lines.filter(({ event }) => event === 'leadership_lost')).toMatchObject([
      { level: 'warn', lease_holder: 'a' },
    ])
    expect([a.isHeld(), b.elector.holder]).toEqual([false, 'a'])
  })

  it('does not wait for an answer that does not come, and gives the request up', async () => {
    const election = new Election()
    const isLook = ({ verb, number }: ApiCall): boolean => verb === 'get' && number > 1
    const { api, asked, unanswered } = observed(
      election,
      faulty(election, 'cut', isReplace),
      isLook,
    )
    election.candidate('a', { api })
    await election.clock.advanceBy(times.renewDeadlineMs)
    expect(asked.filter((call) => call.startsWith('replace'))).toEqual([
      'replace 2000',
      'replace 4500',
      'replace 7000',
      'replace 9500',
    ])
    expect(election.led.at(-1)).toEqual(['a', 'ended', times.renewDeadlineMs])
    expect(unanswered.slice(0, 4).map((signal) => signal?.aborted)).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('does not look when its time is over with a renewal that was not answered', async () => {
    const election = new Election()
    const { api, asked } = observed(election, election.api, isReplace)
    election.candidate('a', { api })
    await election.clock.advanceBy(times.renewDeadlineMs)
    expect(asked.slice(0, 3)).toEqual(['get 0', 'create 0', 'replace 2000'])
    expect(asked[3]).toBe('get 10000')
    expect(election.lines.map(({ event }) => event)).toEqual([
      'leading',
      'error',
      'leadership_lost',
      'led',
    ])
    expect(election.lines[1]).toMatchObject({
      operation: 'renew_lease',
      message: 'no answer within 8000 ms',
    })
  })

  it('that was frozen for too long does not renew', async () => {
    const election = new Election()
    const { api, asked } = observed(election)
    const a = election.candidate('a', { api })
    await election.clock.advanceBy(100)
    a.freeze(20_000)
    await election.clock.advanceBy(1900)
    expect(asked.slice(0, 3)).toEqual(['get 0', 'create 0', 'get 2000'])
    expect(election.terms()).toEqual(['a began', 'a ended', 'a began'])
  })

  it('goes on where its lease was deleted', async () => {
    const election = new Election()
    election.candidate('a')
    await election.clock.advanceBy(100)
    election.api.objects.delete(leases, lease, { propagation: 'Background' })
    await election.clock.advanceBy(12_000)
    expect(election.terms()).toEqual(['a began'])
    expect(election.lease()).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 })
  })

  it('leaves no wait behind for requests that were answered', async () => {
    const election = new Election()
    election.candidate('a')
    await election.clock.advanceBy(60_500)
    expect(election.clock.pending).toBe(1)
  })
})

describe('a term that ends', () => {
  it('by itself is given back, and another one begins', async () => {
    const election = new Election()
    const a = election.candidate('a', { leadsForMs: 5000 })
    await election.clock.advanceBy(2500)
    const listening = getEventListeners(a.stopping, 'abort').length
    await election.clock.advanceBy(15_000)
    expect(getEventListeners(a.stopping, 'abort')).toHaveLength(listening)
    const stopped = a.stop()
    await election.clock.advanceBy(100)
    await stopped
    expect(election.led.map(([, what, at]) => `${what} ${at}`).slice(0, 4)).toEqual([
      'began 0',
      'ended 5000',
      'began 5000',
      'ended 10000',
    ])
    expect(election.lease()).toMatchObject({ leaseTransitions: 3 })
  })

  it('with a stop is given back with one request', async () => {
    const election = new Election()
    const { api, asked } = observed(election)
    const a = election.candidate('a', { api })
    await election.clock.advanceBy(5000)
    asked.length = 0
    await a.stop()
    expect(asked).toEqual(['replace 5000'])
    expect(election.lease()).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
      acquireTime: '2026-03-01T00:00:00.000000Z',
      renewTime: '2026-03-01T00:00:04.000000Z',
    })
    expect(a.elector.holder).toBe('')
    expect(election.logged()).toEqual(['leading', 'led'])
    expect(election.lines.slice(-2)).toMatchObject([
      { level: 'info', event: 'led', lease_holder: 'a' },
      { level: 'debug', event: 'election_ended' },
    ])
  })

  it('and can not be given back is left to others, who wait', async () => {
    const election = new Election()
    const { api, asked } = observed(election, faulty(election, 'broken', isReplace))
    const a = election.candidate('a', { api })
    await election.clock.advanceBy(1000)
    await a.stop()
    expect(asked.slice(2)).toEqual(['replace 1000'])
    expect(election.lines.filter(({ event }) => event === 'error')).toMatchObject([
      { operation: 'release_lease' },
    ])
    expect(election.lease()).toMatchObject({ holderIdentity: 'a' })
  })

  it('leaves a lease alone that somebody else has taken', async () => {
    const election = new Election()
    const a = election.candidate('a')
    await election.clock.advanceBy(1000)
    election.api.objects.patch(leases, lease, { spec: { holderIdentity: 'thief' } })
    await a.stop()
    expect(election.lease()).toMatchObject({ holderIdentity: 'thief', leaseDurationSeconds: 15 })
    expect(election.logged()).toEqual(['leading', 'led'])
  })

  it('because another one has taken the lease is not given back', async () => {
    const election = new Election()
    const { api, asked } = observed(election)
    const a = election.candidate('a', { api })
    await election.clock.advanceBy(1000)
    election.api.objects.patch(leases, lease, { spec: { holderIdentity: 'thief' } })
    await election.clock.advanceBy(1500)
    expect(asked.slice(2)).toEqual(['replace 2000', 'get 2000', 'get 2000'])
    expect(a.elector.holder).toBe('thief')
  })

  it('while a renewal is under way is no failure', async () => {
    const election = new Election()
    const { api, asked } = observed(election, election.api, ({ number }) => number === 3)
    const a = election.candidate('a', { api })
    await election.clock.advanceBy(3000)
    void a.stop()
    await election.clock.advanceBy(0)
    expect(asked.slice(3)).toEqual([])
    await election.clock.advanceBy(10_000)
    expect(asked.slice(3)).toEqual([])
  })
})

describe('a candidate', () => {
  it('takes the lease of a dead leader in the moment in which it ends', async () => {
    const election = new Election()
    election.candidate('a', { api: faulty(election, 'broken', isReplace) })
    await election.clock.advanceBy(333)
    const b = election.candidate('b', { lookMs: 4000 })
    await election.clock.advanceBy(60_000)
    expect(election.led.find(([who]) => who === 'b')).toEqual(['b', 'began', 333 + 15_000])
    expect(election.lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
    expect(b.elector.holder).toBe('b')
  })

  it('takes its own lease again at once', async () => {
    const election = new Election()
    const a = election.candidate('a', { api: faulty(election, 'broken', isReplace) })
    await election.clock.advanceBy(100)
    await a.stop()
    election.candidate('a')
    await election.clock.advanceBy(100)
    expect(election.led.at(-1)).toEqual(['a', 'began', 100])
  })

  it('looks once a second at a lease that it can not take', async () => {
    const election = new Election()
    const a = election.candidate('a', { api: faulty(election, 'broken', isReplace) })
    await election.clock.advanceBy(100)
    await a.stop()
    const { api, asked } = observed(election, faulty(election, 'broken', isReplace))
    election.candidate('b', { api })
    await election.clock.advanceBy(17_500)
    const looks = asked.filter((call) => call.startsWith('get'))
    expect(looks.slice(-3)).toEqual(['get 15100', 'get 16100', 'get 17100'])
    expect(looks).toHaveLength(18)
    expect(election.lines.at(-1)).toMatchObject({ event: 'error', operation: 'acquire_lease' })
  })

  it('says nothing when another one was faster', async () => {
    const election = new Election()
    const isWrite = ({ verb }: ApiCall): boolean => verb === 'create'
    election.candidate('a', { api: faulty(election, 'conflict', isWrite) })
    await election.clock.advanceBy(5000)
    expect(election.lines).toEqual([])
  })

  it('does not take a failure to look for a lease that is not there', async () => {
    const election = new Election()
    const broken = faulty(election, 'broken', ({ verb }) => verb === 'get')
    const { api, asked } = observed(election, broken)
    election.candidate('a', { api })
    await election.clock.advanceBy(500)
    expect(asked).toEqual(['get 0'])
    expect(election.lines).toMatchObject([{ event: 'error', operation: 'acquire_lease' }])
  })

  it('that is stopped while it looks says nothing', async () => {
    const election = new Election()
    const a = election.candidate('a', { api: faulty(election, 'broken', () => true) })
    await a.stop()
    expect(election.logged()).toEqual([])
  })
})
