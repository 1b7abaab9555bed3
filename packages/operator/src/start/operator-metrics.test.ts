import { MetricRegistry } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { countingObserver, measureOperator, requestObserver } from './operator-metrics.js'

function expectLines(metrics: MetricRegistry, lines: readonly string[]): void {
  const text = metrics.expose()
  for (const line of lines) expect(text).toContain(`\n${line}\n`)
}

describe('the metrics of an operator', () => {
  it('count what controllers do, and measure lateness in seconds', () => {
    const metrics = new MetricRegistry()
    const observer = countingObserver(metrics)
    observer.handled('missed')
    observer.started(1500)
    observer.started(-5)
    observer.ended('failed')
    observer.failed('create_job')
    observer.reconciled()
    expectLines(metrics, [
      'kron_operator_periods_total{outcome="executed"} 0',
      'kron_operator_periods_total{outcome="missed"} 1',
      'kron_operator_job_lateness_seconds_bucket{le="1"} 1',
      'kron_operator_job_lateness_seconds_bucket{le="2.5"} 2',
      'kron_operator_job_lateness_seconds_sum 1.5',
      'kron_operator_jobs_ended_total{result="failed"} 1',
      'kron_operator_errors_total{operation="create_job"} 1',
      'kron_operator_reconciliations_total 1',
    ])
  })

  it('count requests by what came of them, and time those that end', () => {
    const metrics = new MetricRegistry()
    const observe = requestObserver(metrics)
    observe({ verb: 'create', resource: 'jobs', status: 201, durationMs: 250 })
    observe({ verb: 'create', resource: 'jobs', status: 'none', durationMs: 1250 })
    observe({ verb: 'watch', resource: 'jobs', status: 200, durationMs: 9000 })
    observe({ verb: 'watch', resource: 'jobs', status: 200, durationMs: 9000 })
    expectLines(metrics, [
      'kron_operator_api_requests_total{verb="create",resource="jobs",status="201"} 1',
      'kron_operator_api_requests_total{verb="create",resource="jobs",status="none"} 1',
      'kron_operator_api_requests_total{verb="watch",resource="jobs",status="200"} 2',
      'kron_operator_api_request_seconds_sum 1.5',
      'kron_operator_api_request_seconds_count 2',
    ])
  })

  it('show what there is at the moment', () => {
    const metrics = new MetricRegistry()
    const figures = {
      isLeading: false,
      kronJobCount: 1,
      queueDepth: 2,
      waitingRequests: 3,
      startedAt: 4000,
    }
    measureOperator(metrics, figures)
    figures.isLeading = true
    expectLines(metrics, [
      'kron_operator_leader 1',
      'kron_operator_kronjobs 1',
      'kron_operator_queue_depth 2',
      'kron_operator_requests_waiting 3',
      'kron_operator_start_time_seconds 4',
    ])
  })
})
