import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SampleStore } from '../../testing/sample-store.js'
import { noSystemQuotas } from '../domain/index.js'
import { usageLoop } from './usage-loop.js'

let sample: SampleStore

beforeEach(async () => {
  sample = await SampleStore.open({}, { ...noSystemQuotas, runsPerMonth: 50 })
})

afterEach(() => sample.store.close())

describe('what all tenants together have used', () => {
  it('is told to operators beside what they may, as it grows', async () => {
    const clock = new VirtualClock(sample.now)
    const metrics = new MetricRegistry()
    const lines: string[] = []
    const write = (line: string): void => void lines.push(line)
    const log = createLog({ format: 'json', level: 'debug', component: 'usage', clock, write })
    const stop = new AbortController()
    const endpoint = await sample.addEndpoint()
    await sample.run(endpoint)
    const loop = usageLoop({ store: sample.store, clock, log, metrics }, stop.signal)
    await clock.advanceBy(1)
    expect(metrics.expose()).toContain('kron_system_usage{quota="runsPerMonth"} 1\n')
    expect(metrics.expose()).toContain('kron_system_quota{quota="runsPerMonth"} 50\n')
    expect(metrics.expose()).toContain('kron_system_usage{quota="aiCallsPerMonth"} 0\n')
    expect(metrics.expose()).not.toContain('kron_system_quota{quota="aiCallsPerMonth"}')
    await sample.run(endpoint)
    await clock.advanceBy(15_000)
    expect(metrics.expose()).toContain('kron_system_usage{quota="runsPerMonth"} 2\n')
    stop.abort()
    await loop
    expect(lines).toEqual([])
  })
})
