import type { Counter, MetricRegistry } from '@kron/runtime'
import type { Observer } from '../controller/index.js'
import { outcomes } from '../kronjob/index.js'
import type { ObservedRequest } from '../kube/http/index.js'

const lateSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Counts what controllers do. */
export function countingObserver(metrics: MetricRegistry): Observer {
  const periods = metrics.counter({
    name: 'kron_operator_periods_total',
    help: 'Periods handled, by outcome.',
    labels: ['outcome'],
  })
  const byOutcome = new Map(outcomes.map((outcome) => [outcome, periods.with({ outcome })]))
  const lateness = metrics.histogram({
    name: 'kron_operator_job_lateness_seconds',
    help: 'From the chosen time until the Job was created.',
    buckets: lateSeconds,
  })
  const ended = metrics.counter({
    name: 'kron_operator_jobs_ended_total',
    help: 'Jobs that ended, by result.',
    labels: ['result'],
  })
  const errors = metrics.counter({
    name: 'kron_operator_errors_total',
    help: 'Errors, by operation.',
    labels: ['operation'],
  })
  const reconciliations = metrics.counter({
    name: 'kron_operator_reconciliations_total',
    help: 'How often a KronJob was reconciled.',
  })
  return {
    handled: (outcome) => byOutcome.get(outcome)?.increment(),
    started: (lateMs) => lateness.observe(Math.max(0, lateMs) / 1000),
    ended: (result) => ended.with({ result }).increment(),
    failed: (operation) => errors.with({ operation }).increment(),
    reconciled: () => reconciliations.increment(),
  }
}

/** Counts requests to the API server. */
export function requestObserver(metrics: MetricRegistry): (request: ObservedRequest) => void {
  const requests = metrics.counter({
    name: 'kron_operator_api_requests_total',
    help: 'Requests to the API server; status none if there was no answer.',
    labels: ['verb', 'resource', 'status'],
  })
  const seconds = metrics.histogram({
    name: 'kron_operator_api_request_seconds',
    help: 'How long requests to the API server took.',
    buckets: requestSeconds,
  })
  // Looking up a counter by its labels takes longer than counting.
  const counters = new Map<string, Counter>()
  return ({ verb, resource, status, durationMs }) => {
    const kind = `${verb} ${resource} ${status}`
    let counter = counters.get(kind)
    if (counter === undefined) {
      counter = requests.with({ verb, resource, status: String(status) })
      counters.set(kind, counter)
    }
    counter.increment()
    if (verb !== 'watch') seconds.observe(durationMs / 1000)
  }
}

/** Read when somebody asks for metrics. */
export interface OperatorFigures {
  readonly isLeading: boolean
  readonly kronJobCount: number
  readonly queueDepth: number
  readonly waitingRequests: number
  readonly startedAt: number
}

export function measureOperator(metrics: MetricRegistry, figures: OperatorFigures): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.gauge({ name: `kron_operator_${name}`, help, read })
  }
  gauge('leader', 'Whether this process leads.', () => (figures.isLeading ? 1 : 0))
  gauge('kronjobs', 'KronJobs that this controller watches.', () => figures.kronJobCount)
  gauge(
    'queue_depth',
    'KronJobs that are being reconciled or wait for it.',
    () => figures.queueDepth,
  )
  gauge(
    'requests_waiting',
    'Requests to the API server that wait for others to end.',
    () => figures.waitingRequests,
  )
  gauge('start_time_seconds', 'When the process started.', () => figures.startedAt / 1000)
}
