import {
  auditedPlan,
  instantText,
  newId,
  type Plan,
  type PlannerSession,
} from '../../domain/index.js'
import { type LearnedRun, learnerName } from '../../scheduling/index.js'
import type { NewAudit } from './audit-table.js'

/** What is kept of a run that told the learner something worth a word. */
export interface LearnedSession {
  readonly session: PlannerSession
  /** Where the learner acts: what it changed. */
  readonly audit: NewAudit | null
}

export function learnedSession(
  before: Plan,
  after: Plan,
  { note, isFollowed }: LearnedRun,
  now: number,
): LearnedSession | null {
  if (note === null) return null
  const { endpointId, tenantId, lastRunAt } = after
  const { why, said, action } = note
  const suggestion = action && { action, before: note.before, after: note.after }
  const session: PlannerSession = {
    id: newId('ses', now),
    tenantId,
    endpointId,
    planner: 'rules',
    startedAt: now,
    endedAt: now,
    read: { why, run: lastRunAt === null ? null : instantText(lastRunAt) },
    said,
    actions: isFollowed && action !== null ? [action] : [],
    suggested: isFollowed || suggestion === null ? [] : [suggestion],
    refused: [],
    cost: { calls: 0, tokens: 0 },
  }
  return { session, audit: isFollowed ? auditOf(before, after, said, now) : null }
}

/** Hints are given again after each run; the audit log has those that come with a session. */
function auditOf(before: Plan, after: Plan, reason: string, now: number): NewAudit | null {
  const isInterval = before.intervalHint !== null || after.intervalHint !== null
  const isOneShot = before.oneShotHint !== null || after.oneShotHint !== null
  if (!isInterval && !isOneShot) return null
  return {
    id: newId('aud', now),
    tenantId: after.tenantId,
    actor: learnerName,
    action: isInterval ? 'endpoint.hint_interval' : 'endpoint.hint_one_shot',
    subject: after.endpointId,
    before: hintsOf(before),
    after: hintsOf(after),
    reason,
  }
}

function hintsOf(plan: Plan): unknown {
  const { intervalHint, oneShotHint } = auditedPlan(plan)
  return { intervalHint, oneShotHint }
}
