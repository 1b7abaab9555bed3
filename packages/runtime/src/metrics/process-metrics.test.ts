import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { MetricRegistry } from './metric-registry.js'
import { addProcessMetrics } from './process-metrics.js'

const registry = new MetricRegistry()
addProcessMetrics(registry)

const valuesNow = (): Map<string, number> => {
  const samples = registry
    .expose()
    .split('\n')
    .filter((line) => /^(process|nodejs)_/.test(line))
  return new Map(samples.map((line) => [line.split(/[ {]/)[0]!, Number(line.split(' ').at(-1))]))
}

const files = existsSync('/proc/self/fd') ? ['process_open_fds', 'process_max_fds'] : []

describe('metrics of the process', () => {
  it('have the names that dashboards for Node.js know', () => {
    expect([...valuesNow().keys()].sort()).toEqual(
      [
        'nodejs_eventloop_lag_seconds',
        'nodejs_eventloop_utilization',
        'nodejs_external_memory_bytes',
        'nodejs_heap_size_total_bytes',
        'nodejs_heap_size_used_bytes',
        'nodejs_version_info',
        'process_cpu_seconds_total',
        'process_cpu_system_seconds_total',
        'process_cpu_user_seconds_total',
        ...files,
        'process_resident_memory_bytes',
        'process_start_time_seconds',
      ].sort(),
    )
  })

  it('have the types that Prometheus computes rates by', () => {
    const text = registry.expose()
    expect(text).toContain('# TYPE process_cpu_seconds_total counter')
    expect(text).toContain('# TYPE process_resident_memory_bytes gauge')
    const [major, minor, patch] = process.versions.node.split('.')
    expect(text).toContain(
      `nodejs_version_info{version="v${process.versions.node}",major="${major}",minor="${minor}",patch="${patch}"} 1`,
    )
  })

  it('are what the process uses', () => {
    const values = valuesNow()
    const megabyte = 1_000_000
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(10 * megabyte)
    expect(values.get('nodejs_heap_size_used_bytes')).toBeGreaterThan(megabyte)
    expect(values.get('nodejs_heap_size_total_bytes')).toBeGreaterThan(megabyte)
    const started = values.get('process_start_time_seconds')! * 1000
    expect(started).toBeGreaterThan(Date.now() - 3_600_000)
    expect(started).toBeLessThan(Date.now())
    for (const name of files) expect(values.get(name)).toBeGreaterThan(2)
  })

  it('are read at each scrape', async () => {
    const before = valuesNow()
    const [from, began] = [process.cpuUsage(), performance.now()]
    // Processor time is that of all threads, so it may pass faster than the clock, or slower.
    while (process.cpuUsage(from).user < 20_000 || performance.now() - began < 20);
    await setImmediate()
    const after = valuesNow()
    const name = 'process_cpu_seconds_total'
    expect(after.get(name)! - before.get(name)!).toBeGreaterThanOrEqual(0.02)
    expect(after.get('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0.02)
    expect(after.get('nodejs_eventloop_utilization')).toBeGreaterThan(0)
    expect(after.get('nodejs_eventloop_utilization')).toBeLessThanOrEqual(1)
  })
})
