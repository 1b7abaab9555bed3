import type { MetricRegistry } from '@kron/runtime'
import { outcomes } from '../state/index.js'
import type { Daemon } from './daemon.js'
import type { Observer } from './ports.js'

const lateSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]

/** Counts what the daemon does. */
export function countingObserver(metrics: MetricRegistry): Observer {
  const periods = metrics.counter({
    name: 'krond_periods_total',
    help: 'Periods handled, by outcome.',
    labels: ['outcome'],
  })
  const byOutcome = new Map(outcomes.map((outcome) => [outcome, periods.with({ outcome })]))
  const lateness = metrics.histogram({
    name: 'krond_start_lateness_seconds',
    help: 'From the chosen time to the start of the execution.',
    buckets: lateSeconds,
  })
  const ended = metrics.counter({
    name: 'krond_executions_ended_total',
    help: 'Executions that ended, by result.',
    labels: ['result'],
  })
  const errors = metrics.counter({
    name: 'krond_errors_total',
    help: 'Errors, by what was being done.',
    labels: ['operation'],
  })
  return {
    handled: (outcome) => byOutcome.get(outcome)?.increment(),
    started: (lateMs) => lateness.observe(lateMs / 1000),
    completed: (code) =>
      ended
        .with({ result: code === 0 ? 'success' : code === null ? 'unknown' : 'failure' })
        .increment(),
    failed: (operation) => errors.with({ operation }).increment(),
  }
}

/** Read from the daemon at each request. */
export function measureDaemon(metrics: MetricRegistry, daemon: Daemon): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.gauge({ name, help, read })
  }
  gauge('krond_jobs', 'Jobs that are configured.', () => daemon.jobCount)
  gauge('krond_executions_running', 'Executions that run.', () => daemon.runningCount)
  gauge('krond_starts_waiting', 'Starts that wait for others to end.', () => daemon.waitingCount)
  gauge('krond_start_time_seconds', 'When the daemon started.', () => daemon.startedAt / 1000)
  gauge(
    'krond_last_turn_time_seconds',
    'When its loop last turned.',
    () => daemon.lastTurnAt / 1000,
  )
}
