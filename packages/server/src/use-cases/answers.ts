import { KronError } from '@kron/core'
import {
  type Advice,
  adviceOn,
  type Explanation,
  explainPlan,
  type ForecastMinute,
  forecastInSteps,
  scheduleOnly,
} from '../answers/index.js'
import { type EndpointWithPlan, type Health, healthOf, type Plan } from '../domain/index.js'
import {
  type CompiledEndpoint,
  compileEndpoint,
  type Preview,
  previewPlans,
  runAllowance,
} from '../scheduling/index.js'
import { everyItem } from '../store/index.js'
import { type Asker, type Call, inReading, type UseCasePorts } from './call.js'
import { compileChecked, readEndpoint } from './endpoints/stored-endpoint.js'

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

export async function endpointAdvice(call: Call, id: string): Promise<Advice> {
  const { endpoint, plan } = await readEndpoint(call, id)
  const { rows } = call
  const memory = await rows.memories.read(id)
  return adviceOn(plan, compileChecked(endpoint), memory, await runAllowance(rows), rows.now)
}

export async function endpointHealth(call: Call, id: string): Promise<Health> {
  await readEndpoint(call, id)
  const page = await call.rows.runs.list({ endpointId: id, limit: healthRuns, after: null })
  return healthOf(page.items)
}

const maxEndpoints = 20_000
/** Compiled at a time, which takes some milliseconds. */
const endpointsPerStep = 100

interface ForecastRequest {
  /** null: from now on. */
  readonly from: number | null
  readonly minutes: number
}

interface LoadForecast {
  readonly from: number
  readonly minutes: readonly ForecastMinute[]
  readonly endpoints: number
  /** Not all endpoints were looked at, or not all of their runs. */
  readonly truncated: boolean
}

/** How many runs each minute brings. It reads in many small transactions, to hold up nobody. */
export async function forecastLoad(
  ports: UseCasePorts,
  asker: Asker,
  { from, minutes }: ForecastRequest,
): Promise<LoadForecast> {
  const followed: Followed[] = []
  let now = 0
  const found = everyItem((page) =>
    inReading(ports, asker, ({ rows }) => {
      now = rows.now
      return rows.endpoints.list({ ...page, archived: false })
    }),
  )
  let truncated = false
  for await (const endpoint of found) {
    truncated = followed.length === maxEndpoints
    if (truncated) break
    followed.push(...compiledOrNone(endpoint))
    if (followed.length % endpointsPerStep === 0) await othersTurn()
  }
  const start = from ?? now
  const allowance = await inReading(ports, asker, ({ rows }) => runAllowance(rows))
  const counted = await paced(forecastInSteps(followed, { now, from: start, minutes }, allowance))
  return {
    from: start,
    minutes: counted,
    endpoints: followed.length,
    truncated: truncated || counted.some((minute) => minute.truncated),
  }
}

/** A forecast takes long: whatever else the process has to do comes between its steps. */
async function paced<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await othersTurn()
  }
}

const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Followed {
  readonly plan: Plan
  readonly compiled: CompiledEndpoint
}

/** One that can't be compiled any more is not planned either. */
function compiledOrNone({ endpoint, plan }: EndpointWithPlan): readonly Followed[] {
  try {
    return [{ plan, compiled: compileEndpoint(scheduleOnly(endpoint)) }]
  } catch (error) {
    if (error instanceof KronError) return []
    throw error
  }
}
