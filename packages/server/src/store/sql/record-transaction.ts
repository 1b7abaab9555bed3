import type { Plan } from '../../domain/index.js'
import { wakeOf } from '../../planning/wake.js'
import type { Outcome, Planning, RecordAnswer, Recorded } from '../claim.js'
import { learnMissing } from './claim-transaction.js'
import type { EndedRow, HotStatements, RunState } from './hot-statements.js'

/**
 * Outcomes of many runs, inside of a transaction that the caller commits.
 *
 *  1. lock the plans, in the order of their ids
 *  2. compare fence and state of each run with what its owner knows: a late owner writes nothing
 *  3. write the outcomes, the next plans and what planners should look at
 *
 * To repeat it is harmless: the second time the rows have ended by this fence already.
 */
export async function recordOutcomes(
  statements: HotStatements,
  outcomes: readonly Outcome[],
  planning: Planning,
): Promise<RecordAnswer> {
  const { now } = statements
  const ids = [...new Set(outcomes.map(({ endpointId }) => endpointId))].sort()
  const plans = new Map((await statements.lockPlans(ids)).map((plan) => [plan.endpointId, plan]))
  await learnMissing(statements, planning, [...plans.values()])
  const states = new Map((await statements.readRuns(outcomes)).map((run) => [keyOf(run), run]))

  const changed = new Map<string, Plan>()
  const written: Outcome[] = []
  const released: Outcome[] = []
  const ended: EndedRow[] = []
  const attention = new Map<string, { endpointId: string; tenantId: string; why: string }>()
  const answers = outcomes.map((outcome): Recorded => {
    const { endpointId, tenantId } = outcome
    const plan = changed.get(endpointId) ?? plans.get(endpointId) ?? null
    const key = keyOf(outcome)
    const state = states.get(key) ?? null
    const answer = judge(outcome, plan, state)
    if (state === null || answer !== 'recorded') return answer
    const list = outcome.status === 'released' ? released : written
    list.push(outcome)
    // The same outcome may stand in one batch twice.
    states.set(key, { ...state, status: outcome.status })
    if (plan === null) return answer
    const decision = planning.decideOutcome(plan, outcome, state, now)
    changed.set(endpointId, decision.plan)
    for (const run of decision.ended) ended.push({ ...run, tenantId })
    if (decision.attention !== null) {
      attention.set(endpointId, { endpointId, tenantId, why: decision.attention })
    }
    return answer
  })

  if (written.length > 0) await statements.writeOutcomes(written)
  if (released.length > 0) await statements.releaseRuns(released)
  if (ended.length > 0) await statements.endRuns(ended)
  const next = [...changed.values()]
  if (next.length > 0) await statements.putPlans(next)
  if (attention.size > 0) await statements.askAttention([...attention.values()])
  return { now, answers, nextWakeAt: earliest(next) }
}

const keyOf = (run: { readonly endpointId: string; readonly scheduledFor: number }): string =>
  `${run.endpointId}.${run.scheduledFor}`

/** The endpoint may be gone; its run still ends. */
function judge(outcome: Outcome, plan: Plan | null, state: RunState | null): Recorded {
  if (state === null) return outcome.status === 'released' ? 'repeated' : 'fenced'
  if (state.fence !== outcome.fence) return 'fenced'
  if (state.status !== 'running') return state.status === outcome.status ? 'repeated' : 'fenced'
  if (outcome.overlapping || plan === null) return 'recorded'
  const isHeld = plan.held?.scheduledFor === outcome.scheduledFor && plan.fence === outcome.fence
  return isHeld ? 'recorded' : 'fenced'
}

function earliest(plans: readonly Plan[]): number | null {
  let earliest: number | null = null
  for (const plan of plans) {
    const { at } = wakeOf(plan)
    if (at !== null && (earliest === null || at < earliest)) earliest = at
  }
  return earliest
}
