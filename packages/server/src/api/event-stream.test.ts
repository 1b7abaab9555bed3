import { VirtualClock } from '@kron/runtime/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { start } from '../../testing/api/api-world.js'
import type { RunEvent } from '../store/index.js'
import { eventStream } from './event-stream.js'

const event: RunEvent = {
  tenantId: 'ten_1',
  type: 'job.changed',
  subject: 'job_1',
  status: 'active',
  at: start,
}

describe('a stream of events listens no more', () => {
  const clock = new VirtualClock(start)
  let listeners: Set<(event: RunEvent) => void>
  let leaving: AbortController
  let ended: number
  let stream: ReadableStream<Uint8Array>

  beforeEach(() => {
    listeners = new Set()
    leaving = new AbortController()
    ended = 0
    stream = eventStream({
      clock,
      heartbeatMs: 15_000,
      backlog: 3,
      signal: leaving.signal,
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      onEnd: () => void ended++,
    })
    expect(listeners.size).toBe(1)
  })

  it.each([
    ['its reader has closed it', () => stream.cancel()],
    ['its reader may read no more', async () => leaving.abort()],
    [
      'its reader is too slow',
      async () => {
        for (let n = 0; n < 3; n++) for (const listener of listeners) listener(event)
      },
    ],
  ])('once %s', async (_, end) => {
    await end()
    expect([listeners.size, ended, clock.pending]).toEqual([0, 1, 0])
  })
})
