import { MetricRegistry } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { operatorAnswer } from './operator-routes.js'

const well = {
  isHealthy: true,
  isReady: true,
  isLeading: false,
  leader: 'other',
  kronJobCount: 3,
  startedAt: 0,
}
const versions = { version: '1.2.3', tzdata: '2026a' }

function asked(target: string, operator: Partial<typeof well> = {}) {
  const metrics = new MetricRegistry()
  metrics.counter({ name: 'things_total', help: 'Things.' }).increment()
  return operatorAnswer({ ...well, ...operator }, metrics, versions)(target)
}

const bodyOf = (target: string, operator?: Partial<typeof well>): unknown =>
  JSON.parse(String(asked(target, operator).body))

describe('an operator over HTTP', () => {
  it('is healthy or not, and says of which version it is', () => {
    expect(asked('/healthz').status).toBe(200)
    expect(bodyOf('/healthz')).toEqual({ healthy: true, ...versions })
    expect(asked('/healthz', { isHealthy: false }).status).toBe(503)
    expect(bodyOf('/healthz', { isHealthy: false })).toMatchObject({ healthy: false })
  })

  it('is ready or not, and says who leads', () => {
    const others = { leading: false, leader: 'other', kronJobs: 3 }
    expect(asked('/readyz').status).toBe(200)
    expect(bodyOf('/readyz')).toEqual({ ready: true, ...others })
    expect(asked('/readyz', { isReady: false }).status).toBe(503)
    expect(bodyOf('/readyz', { isReady: false })).toEqual({ ready: false, ...others })
  })

  it('has its health apart from its readiness', () => {
    expect(asked('/healthz', { isReady: false }).status).toBe(200)
    expect(asked('/readyz', { isHealthy: false }).status).toBe(200)
  })

  it('shows its metrics, whatever is asked of them', () => {
    expect(asked('/metrics').body).toContain('things_total 1')
    expect(asked('/metrics?name=x')).toEqual(asked('/metrics'))
  })

  it.each(['/', '/metrics/', '/toString', ''])('has nothing at "%s"', (target) => {
    expect(asked(target).status).toBe(404)
  })
})
