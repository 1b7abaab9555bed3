import type { Plan } from '../../domain/index.js'
import type { FreePlans, HotStatements } from '../sql/hot-statements.js'
import {
  changedPlanColumns,
  type PlanRow,
  planColumns,
  planOf,
  planRow,
  selectedPlan,
} from '../sql/plan-row.js'
import { texts } from './array-literal.js'
import { batchOf } from './batch.js'
import type { OpenTransaction } from './connections.js'

const lockDue = `SELECT ${selectedPlan} FROM plans
  WHERE wake_at <= $1 AND (wake_kind = 'due' OR wake_at <= $2) AND tenant_id <> ALL($4::text[])
  ORDER BY wake_at LIMIT $3 FOR UPDATE SKIP LOCKED`
const lockPlans = `SELECT ${selectedPlan} FROM plans WHERE endpoint_id = ANY($1::text[])
  ORDER BY endpoint_id FOR UPDATE`
const lockFreePlans = `SELECT ${selectedPlan} FROM plans WHERE endpoint_id = ANY($1::text[])
  FOR UPDATE SKIP LOCKED`

const changed = batchOf(
  planColumns,
  Object.fromEntries(
    ['endpoint_id' as const, ...changedPlanColumns].map((name) => [
      name,
      (row: PlanRow) => row[name],
    ]),
  ),
)
const putPlans = `UPDATE plans p
  SET ${changedPlanColumns.map((name) => `${name} = u.${name}`).join(', ')}
  FROM ${changed.from} WHERE p.endpoint_id = u.endpoint_id`

type PlanStatements = Pick<HotStatements, 'lockDue' | 'lockPlans' | 'lockFreePlans' | 'putPlans'>

export function planStatements(open: OpenTransaction): PlanStatements {
  const plansOf = async (name: string, text: string, values: (string | number)[]) =>
    (await open.prepared<PlanRow>(name, text, values)).rows.map(planOf)
  return {
    lockDue: (until, limit, without) =>
      plansOf('lock_due', lockDue, [until, open.now, limit, texts(without)]),
    lockPlans: (ids) => plansOf('lock_plans', lockPlans, [texts(ids)]),
    lockFreePlans: async (ids) => {
      const plans = await plansOf('lock_free_plans', lockFreePlans, [texts(ids)])
      return { plans, busy: await busyOf(open, ids, plans) }
    },
    putPlans: async (plans) => {
      if (plans.length === 0) return
      await open.prepared('put_plans', putPlans, changed.values(plans.map(planRow)))
    },
  }
}

/** Where a plan was not locked, it is somebody else's at the moment, or gone for good. */
async function busyOf(
  open: OpenTransaction,
  ids: readonly string[],
  plans: readonly Plan[],
): Promise<FreePlans['busy']> {
  if (plans.length === ids.length) return new Set()
  const locked = new Set(plans.map(({ endpointId }) => endpointId))
  const others = ids.filter((id) => !locked.has(id))
  const text = 'SELECT endpoint_id FROM plans WHERE endpoint_id = ANY($1::text[])'
  const left = await open.all<Pick<PlanRow, 'endpoint_id'>>(text, [texts(others)])
  return new Set(left.map(({ endpoint_id }) => endpoint_id))
}
