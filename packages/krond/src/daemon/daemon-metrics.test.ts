import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualProcesses } from '../../testing/process/virtual-processes.js'
import { Daemon } from './daemon.js'
import { countingObserver, measureDaemon } from './daemon-metrics.js'
import { defaultOptions, nobody } from './ports.js'

it('counts what became of periods and executions', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 10))
  const metrics = new MetricRegistry()
  const processes = new VirtualProcesses({
    clock,
    world: ({ identity }) => {
      if (identity.endsWith('broken')) return { prepare: 'permanent' }
      return { durationMs: 1000, exitCode: identity.endsWith('bad') ? 1 : 0 }
    },
  })
  const store = { load: () => ({ kind: 'new' }) as const, save: async () => undefined }
  const log = createLog({ format: 'json', level: 'error', component: 'x', clock, write: () => {} })
  const world = { clock, store, processes, log, observer: countingObserver(metrics) }
  const daemon = new Daemon(world, defaultOptions)
  measureDaemon(metrics, daemon)
  await daemon.prepare([
    sampleJob('0 10 * * *', { name: 'good' }),
    sampleJob('0 10 * * *', { name: 'bad' }),
    sampleJob('0 10 * * *', { name: 'broken' }),
    sampleJob('0 9 * * * @policy(first=run)', { name: 'late' }),
    sampleJob('0 10 * * * @only(date=2001-01-01)', { name: 'never' }),
  ])
  void daemon.run()
  await clock.advanceBy(70_000)
  const text = metrics.expose()
  for (const line of [
    'krond_jobs 5',
    'krond_executions_running 0',
    'krond_starts_waiting 0',
    'krond_periods_total{outcome="executed"} 2',
    'krond_periods_total{outcome="missed"} 2',
    'krond_periods_total{outcome="unschedulable"} 1',
    'krond_periods_total{outcome="skipped"} 0',
    'krond_executions_ended_total{result="success"} 1',
    'krond_executions_ended_total{result="failure"} 1',
    'krond_errors_total{operation="start_process"} 1',
    'krond_start_lateness_seconds_count 2',
    `krond_start_time_seconds ${Date.UTC(2026, 2, 1, 10) / 1000}`,
    `krond_last_turn_time_seconds ${Date.UTC(2026, 2, 1, 10, 1, 1) / 1000}`,
  ]) {
    expect(text).toContain(`\n${line}\n`)
  }
  await daemon.stop({ kill: false })
})

it('measures in seconds, and tells results of executions apart', () => {
  const metrics = new MetricRegistry()
  const observer = countingObserver(metrics)
  observer.started(1500)
  for (const code of [0, 1, 2, null, null, null]) observer.completed(code)
  const text = metrics.expose()
  for (const line of [
    'krond_start_lateness_seconds_sum 1.5',
    'krond_executions_ended_total{result="success"} 1',
    'krond_executions_ended_total{result="failure"} 2',
    'krond_executions_ended_total{result="unknown"} 3',
  ]) {
    expect(text).toContain(`\n${line}\n`)
  }
})

it('counts how late a start is from the time that was chosen', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 10))
  const lates: number[] = []
  const observer = { ...nobody, started: (lateMs: number) => lates.push(lateMs) }
  const processes = new VirtualProcesses({ clock, world: () => ({}) })
  const store = { load: () => ({ kind: 'new' }) as const, save: async () => undefined }
  const log = createLog({ format: 'json', level: 'error', component: 'x', clock, write: () => {} })
  const daemon = new Daemon({ clock, store, processes, log, observer }, defaultOptions)
  const job = sampleJob('0 * * * * @win(after,30m)')
  const late = sampleJob('58 9 * * * @policy(first=run,deadline=1h)', { name: 'late' })
  await daemon.prepare([late, job])
  void daemon.run()
  await clock.advanceBy(3_600_000)
  const { nominalTime, chosenTime } = job.job.decide(Date.UTC(2026, 2, 1, 10))
  expect(chosenTime).toBeGreaterThan(nominalTime + 1000)
  expect(lates).toEqual([120_000, 0])
})
