import { messageOf } from '@kron/runtime'
import {
  type EndpointWithPlan,
  healthOf,
  instantText,
  newId,
  type PlannerSession,
  runId,
} from '../domain/index.js'
import { compileEndpoint, pupilOf } from '../scheduling/index.js'
import type { Attention, Store, TenantTransaction } from '../store/index.js'
import { applyProposal, closedTo } from './actions/apply-proposal.js'
import type { Planner, PlannerInput, Proposal } from './planner.js'
import { countRest, reserveCalls } from './planner-quota.js'
import type { SiblingDirectory } from './siblings.js'

/** Runs that a planner gets to see. */
const maxRuns = 50

export type HeldSession =
  | { readonly kind: 'held'; readonly session: PlannerSession; readonly error: unknown }
  /** Nothing was asked of the planner, and nothing is kept. */
  | { readonly kind: 'passed'; readonly why: string }

/**
 * One session about one endpoint: read in a transaction, think outside of any, act in another.
 * A planner that throws still leaves a session behind, with its calls counted.
 */
export async function holdSession(
  store: Store,
  planner: Planner,
  { tenantId, endpointId, why }: Attention,
  siblings: SiblingDirectory,
  signal: AbortSignal,
): Promise<HeldSession> {
  const begun = await store.tenant(tenantId, async (rows) => {
    const found = await rows.endpoints.get(endpointId)
    const closed = found === null ? 'the endpoint is gone' : closedTo(found)
    if (closed !== null) return closed
    const input = await readInput(rows, found!, siblings, why)
    return (await reserveCalls(rows, planner)) ?? input
  })
  if (typeof begun === 'string') return { kind: 'passed', why: begun }
  const { proposal, error } = await proposed(planner, begun, signal)
  if (proposal === null) return { kind: 'passed', why: 'there is nothing to say' }
  const kept = await store.tenant(tenantId, async (rows) => {
    const id = newId('ses', rows.now)
    const { name } = planner
    const read = readOf(begun)
    const startedAt = begun.now
    const proposed = { id, planner: name, endpointId, startedAt, read, proposal }
    const session = await applyProposal(rows, proposed)
    // After the plan is locked: counters are what everybody waits for, and locked last.
    await countRest(rows, planner, proposal.cost)
    return session
  })
  if (kept === null) return { kind: 'passed', why: 'the endpoint is gone' }
  if (kept.actions.length > 0) announce(store, kept)
  return { kind: 'held', session: kept, error }
}

async function readInput(
  rows: TenantTransaction,
  found: EndpointWithPlan,
  directory: SiblingDirectory,
  why: string,
): Promise<PlannerInput> {
  const { endpoint, plan } = found
  const { items: runs } = await rows.runs.list({
    endpointId: endpoint.id,
    limit: maxRuns,
    after: null,
  })
  const definition = { ...endpoint.definition, headers: {}, body: null }
  const { band, calendar } = pupilOf(compileEndpoint(endpoint))
  return {
    endpoint: { ...endpoint, definition },
    plan,
    runs,
    health: healthOf(runs),
    siblings: await directory.around(rows, found),
    band,
    calendar,
    why,
    now: rows.now,
  }
}

async function proposed(
  planner: Planner,
  input: PlannerInput,
  signal: AbortSignal,
): Promise<{ readonly proposal: Proposal | null; readonly error: unknown }> {
  try {
    return { proposal: await planner.propose(input, signal), error: null }
  } catch (error) {
    const message = messageOf(error)
    const cost = { calls: planner.callsEach, tokens: 0 }
    return { proposal: { said: `The planner failed: ${message}`, actions: [], cost }, error }
  }
}

function announce({ signals }: Store, { tenantId, endpointId, endedAt }: PlannerSession): void {
  const type = 'endpoint.changed'
  signals.publish([{ tenantId, type, subject: endpointId, status: null, at: endedAt }])
}

/** Runs that a session names as read; the figures are of all. */
const maxNamed = 10

/** What a session keeps of what its planner was shown: enough to judge what it did. */
function readOf(input: PlannerInput): unknown {
  const { plan, runs, health, siblings, band, why, endpoint } = input
  return {
    why,
    version: endpoint.version,
    plan: {
      nextRunAt: plan.nextRunAt === null ? null : instantText(plan.nextRunAt),
      source: plan.source,
      failureCount: plan.failureCount,
      lastStatus: plan.lastStatus,
    },
    band,
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
