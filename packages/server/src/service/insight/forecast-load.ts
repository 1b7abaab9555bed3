import { KronError } from '@kron/core'
import type { Plan } from '../../domain/index.js'
import { type ForecastMinute, forecast, runAllowance, scheduleOnly } from '../../insight/index.js'
import { type CompiledEndpoint, compileEndpoint } from '../../planning/index.js'
import type { EndpointWithPlan } from '../../store/index.js'
import { type Asker, inCall, type ServicePorts } from '../call.js'
import { everyItem } from '../every-item.js'

const mostEndpoints = 20_000

export interface ForecastRequest {
  /** null: from now on. */
  readonly from: number | null
  readonly minutes: number
}

export interface LoadForecast {
  readonly from: number
  readonly minutes: readonly ForecastMinute[]
  readonly endpoints: number
  /** Not all endpoints were looked at, or not all of their runs. */
  readonly truncated: boolean
}

/** How many runs each minute brings. It reads in many small transactions, to hold up nobody. */
export async function forecastLoad(
  ports: ServicePorts,
  asker: Asker,
  { from, minutes }: ForecastRequest,
): Promise<LoadForecast> {
  const followed: Followed[] = []
  let now = 0
  const found = everyItem((page) =>
    inCall(ports, asker, ({ rows }) => {
      now = rows.now
      return rows.endpoints.list({ ...page, archived: false })
    }),
  )
  let truncated = false
  for await (const endpoint of found) {
    truncated = followed.length === mostEndpoints
    if (truncated) break
    followed.push(...compiledOrNone(endpoint))
  }
  const start = from ?? now
  const allowance = await inCall(ports, asker, ({ rows }) => runAllowance(rows))
  const counted = forecast(followed, { now, from: start, minutes }, allowance)
  return {
    from: start,
    minutes: counted,
    endpoints: followed.length,
    truncated: truncated || counted.some((minute) => minute.truncated),
  }
}

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
