import { Duration, memoryStorage, type SchedulerEvent } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { dumpOf } from './stored.js'

/** The same registrations, state and times; `shuffle` only changes an order. */
async function story(shuffle: <Value>(values: Value[]) => Value[]): Promise<World> {
  const world = new World('2026-03-02T09:58:00Z', { storage: memoryStorage() })
  const expressions = ['* * * * *', '0,5,10 * * * *', '3-7 * * * *', '0 10 * * 1', '9 * 3 * *']
  const tasks = () =>
    shuffle(
      expressions.flatMap((expression, index) => [
        world.task(`good ${index}`, expression),
        world.task(`slow ${index}`, expression, () => world.clock.sleep(130_000)),
        world.task(`bad ${index}`, expression, failing, Duration.seconds(90)),
      ]),
    )
  const first = world.scheduler()
  await first.initialize(tasks())
  await world.minutes(12)
  // The process dies here, with some of them in the middle of a run.
  const second = world.scheduler()
  await world.minutes(7)
  await second.initialize(tasks())
  await world.minutes(12)
  return world
}

const failing = (): never => {
  throw new Error('no')
}

const decisions = (events: readonly SchedulerEvent[]): string[] =>
  events
    .flatMap((event) => ('taskName' in event ? [event] : []))
    .map(({ type, time, taskName }) => `${time.toISOString()} ${taskName} ${type}`)

describe('the same registrations, state and times', () => {
  it('lead to the same decisions', async () => {
    const [one, other] = [await story((values) => values), await story((values) => values)]
    expect(decisions(one.events).length).toBeGreaterThan(100)
    expect(decisions(one.events)).toEqual(decisions(other.events))
    const [{ tasks }, otherDump] = [await dumpOf(one.storage), await dumpOf(other.storage)]
    expect(tasks.map(({ lastAttemptAt }) => lastAttemptAt)).toEqual(
      otherDump.tasks.map(({ lastAttemptAt }) => lastAttemptAt),
    )
  })

  it('lead to the same selection in each minute, whatever order the tasks are in', async () => {
    const one = await story((values) => values)
    const other = await story((values) => values.reverse())
    expect(decisions(one.events).sort()).toEqual(decisions(other.events).sort())
  })
})

describe('what may vary between runs', () => {
  it('is nothing that changes which minutes are covered', async () => {
    const starts = ['09:58:00.001', '09:58:30', '09:58:59.999']
    const minutes: string[][] = []
    for (const start of starts) {
      const world = new World(`2026-03-02T${start}Z`)
      const scheduler = world.scheduler()
      await scheduler.initialize([world.task('a', '* * * * *')])
      await world.until('2026-03-02T11:00:00Z')
      minutes.push(world.attemptsOf('a').map((at) => at.slice(0, 16)))
      await scheduler.stop()
    }
    expect(minutes[0]).toHaveLength(63)
    expect(minutes[1]).toEqual(minutes[0])
    expect(minutes[2]).toEqual(minutes[0])
  })
})
