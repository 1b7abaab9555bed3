import { type Explanation, explainPlan } from '../../answers/index.js'
import { type Health, healthOf } from '../../domain/index.js'
import { type Preview, previewPlans, runAllowance } from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { compileChecked } from '../endpoints/compile-checked.js'
import { readEndpoint } from '../endpoints/load-endpoint.js'

/** Runs that health is judged by. */
const healthRuns = 500

export async function nextPlans(
  call: Call,
  id: string,
  count: number,
): Promise<readonly Preview[]> {
  const { endpoint, plan } = await readEndpoint(call, id)
  const { rows } = call
  const allowance = await runAllowance(rows)
  return previewPlans(plan, compileChecked(endpoint), rows.now, count, allowance)
}

export async function explainEndpoint(call: Call, id: string): Promise<Explanation> {
  const { endpoint, plan } = await readEndpoint(call, id)
  const { rows } = call
  return explainPlan(plan, compileChecked(endpoint), rows.now, await runAllowance(rows))
}

export async function endpointHealth(call: Call, id: string): Promise<Health> {
  await readEndpoint(call, id)
  const page = await call.rows.runs.list({ endpointId: id, limit: healthRuns, after: null })
  return healthOf(page.items)
}
