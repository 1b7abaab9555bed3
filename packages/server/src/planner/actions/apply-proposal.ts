import type { Plan, PlannerAction, PlannerSession } from '../../domain/index.js'
import { replanWithinQuota, runAllowance } from '../../insight/index.js'
import { compileEndpoint, wakeOf } from '../../planning/index.js'
import type { EndpointWithPlan, TenantTransaction } from '../../store/index.js'
import { actorOf, type Proposal } from '../planner.js'
import { appliedAction } from './applied-action.js'
import { closedTo } from './closed-endpoint.js'
import { type ActedOn, mostActions, refusalOf } from './refusal.js'

export interface ProposedSession {
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
  const { actions, refused } = await act(rows, found, session)
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
    refused,
    cost: session.proposal.cost,
  }
  await rows.sessions.append(kept)
  return kept
}

async function act(
  rows: TenantTransaction,
  found: EndpointWithPlan,
  { planner, proposal }: ProposedSession,
): Promise<Pick<PlannerSession, 'actions' | 'refused'>> {
  const proposed = proposal.actions
  // Asked again: the endpoint may have been changed while the planner thought.
  const closed = closedTo(found)
  if (closed !== null) return { actions: [], refused: refuseAll(proposed, closed) }
  const by = actorOf(planner)
  const hasRunsLeft = proposed.length === 0 || !(await runAllowance(rows)).isUsedUp(rows.now)
  const actions: PlannerAction[] = []
  const refused: Refused[] = refuseAll(proposed.slice(mostActions), 'there are too many actions')
  let { plan } = found
  for (const action of proposed.slice(0, mostActions)) {
    const { definition } = found.endpoint
    const on: ActedOn = { plan, definition, hasRunsLeft, now: rows.now }
    const why = refusalOf(action, on)
    if (why !== null) {
      refused.push({ action, why })
      continue
    }
    const { plan: changed, name, before, after } = appliedAction(plan, action, by, rows.now)
    const { reason } = action
    const subject = found.endpoint.id
    await rows.audit.append({ actor: by, action: name, subject, before, after, reason })
    plan = changed
    actions.push(action)
  }
  if (actions.length > 0) await putPlan(rows, found, plan)
  return { actions, refused }
}

const refuseAll = (actions: readonly PlannerAction[], why: string): Refused[] =>
  actions.map((action) => ({ action, why }))

async function putPlan(
  rows: TenantTransaction,
  { endpoint }: EndpointWithPlan,
  changed: Plan,
): Promise<void> {
  const plan = await replanWithinQuota(rows, changed, compileEndpoint(endpoint))
  await rows.plans.put(plan)
  const { at } = wakeOf(plan)
  if (at !== null) rows.wakeAt(at)
}
