import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { ApiFailure, type KubeObject } from '../kube/index.js'
import { EventRecorder } from './event-recorder.js'
import type { KronEvent } from './kron-event.js'

const start = at('10:00:00')
const news: KronEvent = {
  reason: 'JobCreated',
  type: 'Normal',
  message: 'created Job backup-1',
  subject: '2026-03-01T10:00:00Z',
}

/** A recorder whose tries are answered with these, one after the other; then they work. */
function telling(...answers: readonly unknown[]) {
  const clock = new VirtualClock(start)
  const tries: { afterMs: number; event: KubeObject }[] = []
  const failures: unknown[] = []
  const stopping = new AbortController()
  const recorder = new EventRecorder({
    create: async (event) => {
      tries.push({ afterMs: clock.now().getTime() - start, event })
      const answer = answers[tries.length - 1]
      if (answer !== undefined) throw answer
    },
    clock,
    instance: 'test',
    onFailure: (error, event, kronJob) => failures.push([error, event, kronJob.metadata.name]),
    signal: stopping.signal,
  })
  const told = recorder.record(kronJobOf(), news)
  told.catch(() => undefined)
  const tried = () => tries.map(({ afterMs }) => afterMs)
  return { clock, tries, tried, failures, told, stop: () => stopping.abort('stopped') }
}

const failure = (status: number | null, reason = '', retryAfterMs?: number): ApiFailure =>
  new ApiFailure('no', { status, reason, retryAfterMs })

describe('a recorder of events', () => {
  it('tries again after a while, twice as long each time, with the same event', async () => {
    const { clock, told, tries, tried, failures } = telling(failure(500), failure(null))
    await clock.advanceBy(10_000)
    await told
    expect(tried()).toEqual([0, 250, 750])
    expect(tries[2]!.event).toEqual(tries[0]!.event)
    expect(failures).toEqual([])
  })

  it('waits as long as the server wants it to', async () => {
    const { clock, told, tried } = telling(failure(429, 'TooManyRequests', 3000), failure(500))
    await clock.advanceBy(10_000)
    await told
    expect(tried()).toEqual([0, 3000, 3500])
  })

  it('gives up after four tries, and says what it could not tell', async () => {
    const { clock, told, tried, failures } = telling(...Array(9).fill(failure(500)))
    await clock.advanceBy(60_000)
    await told
    expect(tried()).toEqual([0, 250, 750, 1750])
    expect(failures).toEqual([[failure(500), news, 'backup']])
  })

  it.each([400, 403, 404, 422])('takes %i for an answer at once', async (status) => {
    const { clock, told, tried, failures } = telling(failure(status))
    await clock.advanceBy(10_000)
    await told
    expect(tried()).toEqual([0])
    expect(failures).toHaveLength(1)
  })

  it('is content with an event that is there already', async () => {
    const { clock, told, tried, failures } = telling(failure(409, 'AlreadyExists'))
    await clock.advanceBy(10_000)
    await told
    expect([tried(), failures]).toEqual([[0], []])
  })

  it('does not take any other conflict for that', async () => {
    const { clock, told, tried } = telling(failure(409, 'Conflict'))
    await clock.advanceBy(10_000)
    await told
    expect(tried()).toEqual([0, 250])
  })

  it('passes on what is not about the event, such as lost leadership', async () => {
    const lost = new Error('not the leader')
    const { told, tried, failures } = telling(lost)
    await expect(told).rejects.toBe(lost)
    expect([tried(), failures]).toEqual([[0], []])
  })

  it('waits no longer when it is stopped', async () => {
    const { clock, told, tried, stop } = telling(failure(429, '', 60_000))
    await clock.advanceBy(1000)
    stop()
    await expect(told).rejects.toBe('stopped')
    expect([tried(), clock.pending]).toEqual([[0], 0])
  })
})
