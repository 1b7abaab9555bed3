import { Duration, type Logger } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from './world.js'

interface Line {
  readonly sentence: string
  readonly at: string
  /** Of how many failures it tells. */
  readonly failures: number
}

/** A world whose warnings are kept. */
function noisyWorld(): { world: World; lines: Line[] } {
  const lines: Line[] = []
  const warn: Logger['warn'] = (sentence, fields) => {
    const { failures = 1 } = fields as { failures?: number }
    lines.push({ sentence, failures, at: world.now })
  }
  const logger: Logger = { warn, error: warn }
  const world: World = new World('2026-03-02T10:00:00Z', { logger })
  return { world, lines }
}

const failuresOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { failures }) => sum + failures, 0)

describe('the warnings of tasks that always fail', () => {
  it('are few, however many tasks there are, and count every failure', async () => {
    const { world, lines } = noisyWorld()
    const fail = () => Promise.reject(new Error('no paper'))
    const scheduler = world.scheduler()
    const names = Array.from({ length: 1000 }, (_, index) => `${index}`)
    await scheduler.initialize(
      names.map((name) => world.task(name, '0 10 * * *', fail, Duration.ms(0))),
    )
    await world.until('2026-03-02T10:00:15Z')
    await scheduler.stop()
    const failures = world.eventsOf('TaskRunFailed').length
    expect(failures).toBeGreaterThanOrEqual(15_000)
    expect(lines.length).toBeLessThan(250)
    expect(failuresOf(lines)).toBe(failures)
    expect(lines[0]?.sentence).toBe(
      'task "0" failed, next try at 2026-03-02T10:00:00.000Z: no paper',
    )
    expect(lines.at(-2)?.sentence).toBe(
      'task "99" failed 15 more times within a minute, for the same reason: no paper',
    )
    expect(lines.at(-1)?.sentence).toBe(
      '14400 more failures, of 900 others, came within a minute and were counted instead of ' +
        'logged; the first: task "100": no paper',
    )
  })

  it('are told again each minute, and another reason at once', async () => {
    const { world, lines } = noisyWorld()
    const scheduler = world.scheduler()
    const fail = () =>
      Promise.reject(new Error(world.now > '2026-03-02T10:02' ? 'jam' : 'no paper'))
    await scheduler.initialize([world.task('print', '0 10 * * *', fail, Duration.seconds(20))])
    await world.until('2026-03-02T10:02:30Z')
    expect(lines.map(({ at, sentence }) => `${at.slice(14, 19)} ${sentence.slice(13)}`)).toEqual([
      '00:00 failed, next try at 2026-03-02T10:00:20.000Z: no paper',
      '01:00 failed 2 more times within a minute, for the same reason: no paper',
      '01:00 failed, next try at 2026-03-02T10:01:20.000Z: no paper',
      '02:00 failed 2 more times within a minute, for the same reason: no paper',
      '02:00 failed, next try at 2026-03-02T10:02:20.000Z: jam',
    ])
    await scheduler.stop()
    expect(failuresOf(lines)).toBe(world.eventsOf('TaskRunFailed').length)
  })

  it('that fail once in a while are all told', async () => {
    const { world, lines } = noisyWorld()
    const fail = () => Promise.reject(new Error('no paper'))
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('print', '0 10 * * *', fail, Duration.minutes(2))])
    await world.until('2026-03-02T10:20:30Z')
    expect(lines).toHaveLength(11)
    expect(failuresOf(lines)).toBe(11)
    await scheduler.stop()
  })

  it('count what was left over when the failures ended', async () => {
    const { world, lines } = noisyWorld()
    let attempts = 0
    const fail = () => (++attempts < 5 ? Promise.reject(new Error('no paper')) : undefined)
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('print', '0 10 * * *', fail, Duration.seconds(5))])
    await world.until('2026-03-02T10:02:00Z')
    expect(lines.map(({ failures }) => failures)).toEqual([1, 3])
    await scheduler.stop()
  })
})

describe('a listener that always throws', () => {
  it('is reported in few lines that count each time', async () => {
    const { world, lines } = noisyWorld()
    let thrown = 0
    const scheduler = world.scheduler({
      onEvent: () => {
        thrown++
        throw new Error('no listener')
      },
    })
    const names = Array.from({ length: 500 }, (_, index) => `${index}`)
    await scheduler.initialize(names.map((name) => world.task(name, '* * * * *')))
    await world.minutes(2)
    await scheduler.stop()
    expect(thrown).toBeGreaterThan(3000)
    expect(lines.length).toBeLessThan(50)
    expect(failuresOf(lines)).toBe(thrown)
  })
})
