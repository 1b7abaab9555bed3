import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { MetricRegistry } from './metric-registry.js'

/**
 * What the process and Node.js use, under the names that prom-client has given to it, so that
 * dashboards for Node.js fit. Everything is read at a scrape; in between nothing is measured.
 */
export function addProcessMetrics(registry: MetricRegistry): void {
  addCpu(registry)
  addMemory(registry)
  addFiles(registry)
  addEventLoop(registry)
  registry.gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    read: () => performance.timeOrigin / 1000,
  })
  const [major = '', minor = '', patch = ''] = process.version.slice(1).split('.')
  registry
    .gauge({
      name: 'nodejs_version_info',
      help: 'The version of Node.js.',
      labels: ['version', 'major', 'minor', 'patch'],
    })
    .with({ version: process.version, major, minor, patch })
    .set(1)
}

function addCpu(registry: MetricRegistry): void {
  const seconds = (of: (usage: NodeJS.CpuUsage) => number) => () => of(process.cpuUsage()) / 1e6
  registry.counter({
    name: 'process_cpu_user_seconds_total',
    help: 'CPU time that the process has used itself.',
    read: seconds(({ user }) => user),
  })
  registry.counter({
    name: 'process_cpu_system_seconds_total',
    help: 'CPU time that the kernel has used for the process.',
    read: seconds(({ system }) => system),
  })
  registry.counter({
    name: 'process_cpu_seconds_total',
    help: 'Both together.',
    read: seconds(({ user, system }) => user + system),
  })
}

function addMemory(registry: MetricRegistry): void {
  registry.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM.',
    read: () => process.memoryUsage.rss(),
  })
  const memory = (name: string, help: string, of: (usage: NodeJS.MemoryUsage) => number): void => {
    registry.gauge({ name, help, read: () => of(process.memoryUsage()) })
  }
  memory('nodejs_heap_size_total_bytes', 'The heap of V8.', ({ heapTotal }) => heapTotal)
  memory('nodejs_heap_size_used_bytes', 'What of it is used.', ({ heapUsed }) => heapUsed)
  memory(
    'nodejs_external_memory_bytes',
    'Memory that objects of the heap have outside of it, such as buffers.',
    ({ external }) => external,
  )
}

const descriptors = '/proc/self/fd'
const limits = '/proc/self/limits'

/** Only where the kernel tells: on Linux. */
function addFiles(registry: MetricRegistry): void {
  if (existsSync(descriptors)) {
    registry.gauge({
      name: 'process_open_fds',
      help: 'File descriptors that are open.',
      // One of them is open for the look itself.
      read: () => readdirSync(descriptors).length - 1,
    })
  }
  if (existsSync(limits)) {
    registry.gauge({
      name: 'process_max_fds',
      help: 'File descriptors that may be open at once.',
      read: () => maxFiles(readFileSync(limits, 'utf8')),
    })
  }
}

function maxFiles(text: string): number {
  const soft = /^Max open files +(\S+)/m.exec(text)?.[1]
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

function addEventLoop(registry: MetricRegistry): void {
  let before: EventLoopUtilization | undefined
  registry.gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'The part of the time since the scrape before in which the event loop was busy.',
    read: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } =
        before === undefined ? now : performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  })
  let lagSeconds = 0
  registry.gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How long the event loop took to come round after the scrape before.',
    read: () => {
      const from = performance.now()
      setImmediate(() => {
        lagSeconds = (performance.now() - from) / 1000
      })
      return lagSeconds
    },
  })
}
