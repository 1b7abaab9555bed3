import { describe, expect, it } from 'vitest'
import { sampleId, samplePlan } from '../../../testing/sample-endpoint.js'
import { Memory } from '../../../testing/store/sql/memory-conformance.js'
import { strictRules } from '../../../testing/store/sql/rules-conformance.js'
import type { Plan } from '../../domain/index.js'
import { leaseGraceMs } from '../../scheduling/index.js'
import { claimDue } from './claim-transaction.js'
import type { HotStatements } from './hot-statements.js'

const request = { claimId: 'c', owner: 'w', limit: 10, withinMs: 0, crowd: 10 }

/** A worker beside the rows of one endpoint, and what its claims ask the database for. */
function worker(planned: Partial<Plan> = {}) {
  const { plan, compiled } = samplePlan({}, planned)
  const memory = new Memory()
  memory.endpoints.set(sampleId, compiled.endpoint)
  memory.plans.set(sampleId, plan)
  const asked: string[] = []
  const planning = strictRules()
  const claim = (now: number, change: Partial<HotStatements> = {}) => {
    const rows = memory.at(now)
    const readEndpoints = (ids: readonly string[]) => {
      asked.push(`definitions of ${ids.join()}`)
      return rows.readEndpoints(ids)
    }
    const systemRunsLeft = () => {
      asked.push('the quota')
      return rows.systemRunsLeft()
    }
    return claimDue({ ...rows, readEndpoints, systemRunsLeft, ...change }, request, planning)
  }
  return { plan, planOf: () => memory.plans.get(sampleId)!, asked, claim }
}

describe('a claim', () => {
  it('reads the definition of an endpoint when it meets it, and not again', async () => {
    const { plan, planOf, asked, claim } = worker()
    expect((await claim(plan.nextRunAt!)).claimed).toHaveLength(1)
    expect(asked).toEqual([`definitions of ${sampleId}`, 'the quota'])
    const lostAt = planOf().held!.leaseUntil + leaseGraceMs
    expect((await claim(lostAt)).ended).toMatchObject([{ reason: 'worker_lost' }])
    expect(asked).toEqual([`definitions of ${sampleId}`, 'the quota', 'the quota'])
  })

  it('that finds nothing due waits for nobody who counts against a quota', async () => {
    const { plan, asked, claim } = worker()
    expect((await claim(plan.nextRunAt! - 1)).claimed).toEqual([])
    expect(asked).toEqual([])
  })

  it('leaves a plan alone whose time has not come', async () => {
    const { plan, planOf, claim } = worker({ source: 'paused' })
    const early = { lockDue: async () => [plan] }
    const { claimed, ended } = await claim(plan.nextRunAt! - 1, early)
    expect({ claimed, ended }).toEqual({ claimed: [], ended: [] })
    expect(planOf()).toBe(plan)
  })
})
