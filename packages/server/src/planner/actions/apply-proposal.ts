import type {
  Endpoint,
  EndpointWithPlan,
  Plan,
  PlannedRun,
  PlannerAction,
  PlannerSession,
  Suggestion,
} from '../../domain/index.js'
import {
  type CompiledEndpoint,
  calendarOf,
  compileEndpoint,
  replan,
  replanWithinQuota,
  runAllowance,
} from '../../scheduling/index.js'
import type { TenantTransaction } from '../../store/index.js'
import { actorOf, type Proposal } from '../planner.js'
import { type AppliedAction, appliedAction } from './applied-action.js'
import { type ActedOn, maxActions, refusalOf } from './refusal.js'

interface ProposedSession {
  readonly id: string
  readonly planner: string
  readonly endpointId: string
  readonly startedAt: number
  /** What the planner was shown. */
  readonly read: unknown
  readonly proposal: Proposal
}

type Refused = PlannerSession['refused'][number]

/**
 * The only way in which a planner acts. The endpoint is read again, since time has passed since the
 * planner saw it; each action is checked, done and audited on its own, and the session is kept with
 * what was done and what was refused. null when the endpoint is gone.
 */
export async function applyProposal(
  rows: TenantTransaction,
  session: ProposedSession,
): Promise<PlannerSession | null> {
  const found = await rows.endpoints.get(session.endpointId)
  if (found === null) return null
  const { actions, suggested, refused } = await act(rows, found, session)
  const kept: PlannerSession = {
    id: session.id,
    tenantId: rows.tenantId,
    endpointId: session.endpointId,
    planner: session.planner,
    startedAt: session.startedAt,
    endedAt: Math.max(session.startedAt, rows.now),
    read: session.read,
    said: session.proposal.said,
    actions,
    suggested,
    refused,
    cost: session.proposal.cost,
  }
  await rows.sessions.append(kept)
  return kept
}

type Acted = Pick<PlannerSession, 'actions' | 'suggested' | 'refused'>

async function act(
  rows: TenantTransaction,
  found: EndpointWithPlan,
  { planner, proposal }: ProposedSession,
): Promise<Acted> {
  const proposed = proposal.actions
  // Asked again: the endpoint may have been changed while the planner thought.
  const closed = closedTo(found)
  if (closed !== null) return { actions: [], suggested: [], refused: refuseAll(proposed, closed) }
  if (proposed.length === 0) return { actions: [], suggested: [], refused: [] }
  const { definition } = found.endpoint
  const compiled = compileEndpoint(asIfOn(found.endpoint))
  const calendar = calendarOf(compiled)
  const hold = (await runAllowance(rows)).holdAt(rows.now)
  const refused: Refused[] = refuseAll(proposed.slice(maxActions), 'there are too many actions')
  const accepted: { readonly action: PlannerAction; readonly applied: AppliedAction }[] = []
  let { plan } = found
  for (const action of proposed.slice(0, maxActions)) {
    const on: ActedOn = { plan, definition, calendar, hold, now: rows.now }
    const why = refusalOf(action, on)
    if (why !== null) {
      refused.push({ action, why })
      continue
    }
    const applied = appliedAction(plan, action, actorOf(planner), rows.now)
    accepted.push({ action, applied })
    plan = applied.plan
  }
  const actions = accepted.map(({ action }) => action)
  if (definition.planner !== 'on') {
    return { actions: [], suggested: suggestions(found, compiled, accepted, rows.now), refused }
  }
  for (const { action, applied } of accepted) await audit(rows, found, planner, action, applied)
  if (actions.length > 0) await putPlan(rows, compiled, plan)
  return { actions, suggested: [], refused }
}

/** What planners give counts only where they may act; of a suggestion it is asked what if. */
function asIfOn(endpoint: Endpoint): Endpoint {
  return { ...endpoint, definition: { ...endpoint.definition, planner: 'on' } }
}

function suggestions(
  { plan }: EndpointWithPlan,
  compiled: CompiledEndpoint,
  accepted: readonly { readonly action: PlannerAction; readonly applied: AppliedAction }[],
  now: number,
): Suggestion[] {
  let before = plannedRun(plan, compiled, now)
  return accepted.map(({ action, applied }) => {
    const after = plannedRun(applied.plan, compiled, now)
    const suggestion = { action, before, after }
    before = after
    return suggestion
  })
}

/** What would be planned if no run were under way. */
function plannedRun(plan: Plan, compiled: CompiledEndpoint, now: number): PlannedRun {
  const { nextRunAt, source } = replan({ ...plan, held: null }, compiled, now)
  return { nextRunAt, source }
}

async function audit(
  rows: TenantTransaction,
  { endpoint }: EndpointWithPlan,
  planner: string,
  { reason }: PlannerAction,
  { name, before, after }: AppliedAction,
): Promise<void> {
  const actor = actorOf(planner)
  await rows.audit.append({ actor, action: name, subject: endpoint.id, before, after, reason })
}

const refuseAll = (actions: readonly PlannerAction[], why: string): Refused[] =>
  actions.map((action) => ({ action, why }))

async function putPlan(
  rows: TenantTransaction,
  compiled: CompiledEndpoint,
  changed: Plan,
): Promise<void> {
  await rows.plans.put(await replanWithinQuota(rows, changed, compiled))
}

/** Why no planner may look at an endpoint or act on it, or null. */
export function closedTo({ endpoint, plan }: EndpointWithPlan): string | null {
  if (endpoint.definition.planner === 'off') return 'the endpoint has planner: off'
  if (endpoint.archivedAt !== null) return 'the endpoint is archived'
  return plan.suspended ? 'the job is not active' : null
}
