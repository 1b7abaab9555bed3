import { instantText, runId } from '../domain/index.js'
import type { PlannerInput } from './planner.js'

/** Runs that a session names as read; the figures are of all. */
const maxNamed = 10

/** What a session keeps of what its planner was shown: enough to judge what it did. */
export function readOf(input: PlannerInput): unknown {
  const { plan, runs, health, siblings, baselineMs, why, endpoint } = input
  return {
    why,
    version: endpoint.version,
    plan: {
      nextRunAt: plan.nextRunAt === null ? null : instantText(plan.nextRunAt),
      source: plan.source,
      failureCount: plan.failureCount,
      lastStatus: plan.lastStatus,
    },
    baselineMs,
    health,
    siblings,
    runs: runs.slice(0, maxNamed).map((run) => ({
      id: runId(run),
      status: run.status,
      httpStatus: run.response?.httpStatus ?? null,
      error: run.error?.code ?? null,
    })),
  }
}
