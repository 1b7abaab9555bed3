import { Duration, type Registration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from './world.js'

const delay = Duration.minutes(5)

/** That this list has its type is a part of the test: `npm run typecheck` compiles it. */
const callbacks: readonly Registration[] = [
  ['an async function', '* * * * *', async () => undefined, delay],
  ['a function that returns nothing', '* * * * *', () => {}, delay],
  ['a function that returns a value', '* * * * *', () => 42, delay],
  ['an async function that returns a value', '* * * * *', async () => 'done', delay],
  ['a function that may return a promise', '* * * * *', sometimes, delay],
  ['a function with an optional parameter', '* * * * *', (times = 1) => times, delay],
]

function sometimes(): Promise<number> | undefined {
  return Math.PI > 3 ? undefined : Promise.resolve(1)
}

describe('a callback', () => {
  it.each(callbacks)('may be %s', async (...registration) => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([registration])
    await world.settled()
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(1)
    await scheduler.stop()
  })

  it('that wants an argument does not have the type, since it gets none', async () => {
    const wanting = (times: number): number => times
    // @ts-expect-error: callbacks are called without arguments
    const registration: Registration = ['a', '* * * * *', wanting, delay]
    expect(registration[2]).toBe(wanting)
  })

  it('that returns a generator has failed: nothing of it has run', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let ran = false
    async function* work(): AsyncGenerator<void> {
      ran = true
      yield
    }
    await scheduler.initialize([['a', '0 10 * * *', () => work(), delay]])
    await world.settled()
    expect(ran).toBe(false)
    expect(world.eventsOf('TaskRunCompleted')).toEqual([])
    expect(world.eventsOf('TaskRunFailed')).toMatchObject([
      { failure: { name: 'TypeError', message: expect.stringContaining('returned a generator') } },
    ])
    await scheduler.stop()
  })
})
