import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { pingWatchdog, watchdogIntervalMs } from './watchdog.js'

describe('the interval of the watchdog', () => {
  it.each<[Record<string, string | undefined>, number | null]>([
    [{}, null],
    [{ WATCHDOG_USEC: '' }, null],
    [{ WATCHDOG_USEC: '0' }, null],
    [{ WATCHDOG_USEC: '-1' }, null],
    [{ WATCHDOG_USEC: '1.5' }, null],
    [{ WATCHDOG_USEC: '1e6' }, null],
    [{ WATCHDOG_USEC: 'soon' }, null],
    [{ WATCHDOG_USEC: '3000000' }, 3000],
    [{ WATCHDOG_USEC: '3000000', WATCHDOG_PID: '42' }, 3000],
    [{ WATCHDOG_USEC: '3000000', WATCHDOG_PID: '43' }, null],
    [{ WATCHDOG_USEC: '3000000', WATCHDOG_PID: '' }, null],
    [{ WATCHDOG_USEC: '18446744073709551615' }, 86_400_000],
  ])('of %j is %j', (env, expected) => {
    expect(watchdogIntervalMs(env, 42)).toBe(expected)
  })
})

interface Run {
  readonly pings: number[]
  readonly lines: Record<string, unknown>[]
}

/** Ten intervals of a second, of which `isHealthy` sees the milliseconds passed. */
async function watched(isHealthy: (ms: number) => boolean): Promise<Run> {
  const clock = new VirtualClock(0)
  const ms = () => clock.now().getTime()
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = createLog({ format: 'json', level: 'info', component: 'krond', clock, write })
  const pings: number[] = []
  const controller = new AbortController()
  const ping = async () => void pings.push(ms())
  const { signal } = controller
  const watch = { ping, isHealthy: () => isHealthy(ms()), intervalMs: 1000, clock, log, signal }
  const watching = pingWatchdog(watch)
  await clock.advanceBy(10_000)
  controller.abort()
  await watching
  return { pings, lines }
}

describe('the watchdog', () => {
  it('is told twice in each interval that all is well', async () => {
    const { pings, lines } = await watched(() => true)
    expect(pings).toEqual(Array.from({ length: 21 }, (_, index) => index * 500))
    expect(lines).toEqual([])
  })

  it('is told nothing while it is not, which the log says once, and soon after', async () => {
    const { pings, lines } = await watched((ms) => ms < 1000 || ms > 1900)
    expect(pings.slice(0, 4)).toEqual([0, 500, 1950, 2450])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ operation: 'watchdog', code: 'KRON_SYSTEM' })
    expect(lines[0]?.['message']).toContain('does not keep up')
  })

  it('takes a check that throws for one that fails', async () => {
    const { pings, lines } = await watched((ms) => {
      if (ms < 9500) return true
      throw new RangeError('no idea')
    })
    expect(pings.at(-1)).toBe(9000)
    expect(lines[0]).toMatchObject({ operation: 'watchdog', message: 'no idea' })
  })

  it('is not told anything after the end', async () => {
    const clock = new VirtualClock(0)
    const log = createLog({ format: 'json', level: 'info', component: 'x', clock, write: () => {} })
    let pings = 0
    const ping = async () => void pings++
    const signal = AbortSignal.abort()
    await pingWatchdog({ ping, isHealthy: () => true, intervalMs: 1000, clock, log, signal })
    expect({ pings, sleeping: clock.pending }).toEqual({ pings: 0, sleeping: 0 })
  })
})
