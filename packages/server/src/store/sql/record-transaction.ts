import type { Plan } from '../../domain/index.js'
import { type Memory, memoryOf } from '../../learner/index.js'
import {
  isComparable,
  type KeptMemory,
  type Outcome,
  type Planning,
} from '../../scheduling/index.js'
import { wakeOf } from '../../scheduling/wake.js'
import type { RecordAnswer, Recorded } from '../claim.js'
import { learnMissing } from './claim-transaction.js'
import type {
  EndedRow,
  HotStatements,
  RunState,
  StoredBodyOf,
  WrittenOutcome,
} from './hot-statements.js'
import { type LearnedSession, learnedSession } from './learned-session.js'
import { type MemoryRow, memoryRow, storedMemoryOf } from './memory-row.js'

/**
 * Outcomes of many runs, inside of a transaction that the caller commits.
 *
 *  1. lock the plans, but for those that somebody else has locked: outcomes of many tenants are
 *     written together, and a long change of one must not keep the others waiting
 *  2. compare fence and state of each run with what its owner knows: a late owner writes no end
 *  3. write the outcomes, the next plans, what was learned and what planners should look at
 *
 * To repeat it is harmless: the second time the rows have ended by this fence already.
 */
export async function recordOutcomes(
  statements: HotStatements,
  outcomes: readonly Outcome[],
  planning: Planning,
  bodyOf: StoredBodyOf,
): Promise<RecordedOutcomes> {
  const { now } = statements
  const ids = new Set(outcomes.map(({ endpointId }) => endpointId))
  const free = await statements.lockFreePlans([...ids])
  const { busy } = free
  const plans = new Map(free.plans.map((plan) => [plan.endpointId, plan]))
  await learnMissing(statements, planning, free.plans)
  const ours = busy.size === 0 ? outcomes : outcomes.filter((one) => !busy.has(one.endpointId))
  const overlapping = ours.filter((outcome) => outcome.overlapping)
  if (overlapping.length > 0) await statements.lockRuns(overlapping)
  const states = new Map((await statements.readRuns(ours)).map((run) => [keyOf(run), run]))

  const comparable = ours.filter(({ endpointId, overlapping }) => {
    const plan = plans.get(endpointId)
    return plan !== undefined && !overlapping && isComparable(plan)
  })
  const memories = await readMemories(statements, planning, comparable)

  const changed = new Map<string, Plan>()
  const learned = new Map<string, MemoryRow>()
  const kept = new Map<string, KeptMemory>()
  const sessions: LearnedSession[] = []
  const written: WrittenOutcome[] = []
  const released: Outcome[] = []
  const begun: Outcome[] = []
  const ended: EndedRow[] = []
  const attention = new Map<string, { endpointId: string; tenantId: string; why: string }>()
  const answers = outcomes.map((outcome): Recorded => {
    const { endpointId, tenantId } = outcome
    if (busy.has(endpointId)) return 'busy'
    const plan = changed.get(endpointId) ?? plans.get(endpointId) ?? null
    const key = keyOf(outcome)
    const state = states.get(key) ?? null
    const answer = judge(outcome, plan, state)
    if (state !== null && isUntoldStart(outcome, state)) begun.push(outcome)
    if (state === null || answer !== 'recorded') return answer
    // The same outcome may stand in one batch twice.
    states.set(key, { ...state, status: outcome.status })
    const memory = memories.get(endpointId) ?? null
    const decision = plan && planning.decideOutcome(plan, outcome, state, now, memory)
    if (outcome.status === 'released') released.push(outcome)
    else written.push({ ...outcome, notes: decision?.notes ?? [] })
    if (decision === null) return answer
    changed.set(endpointId, decision.plan)
    if (decision.learned !== undefined) {
      memories.set(endpointId, decision.learned.memory)
      const { memory } = decision.learned
      learned.set(endpointId, memoryRow(decision.plan, decision.learned))
      kept.set(endpointId, { endpointId, fence: outcome.fence, memory })
      const session = learnedSession(plan!, decision.plan, decision.learned, now)
      if (session !== null) sessions.push(session)
    }
    for (const run of decision.ended) ended.push({ ...run, tenantId })
    if (decision.attention !== null) {
      attention.set(endpointId, { endpointId, tenantId, why: decision.attention })
    }
    return answer
  })

  if (written.length > 0) await statements.writeOutcomes(written, bodyOf)
  if (begun.length > 0) await statements.addStarts(begun)
  if (released.length > 0) await statements.releaseRuns(released)
  if (ended.length > 0) await statements.endRuns(ended)
  const next = [...changed.values()]
  if (next.length > 0) await statements.putPlans(next)
  if (learned.size > 0) await statements.putMemories([...learned.values()])
  if (sessions.length > 0) await writeSessions(statements, sessions)
  if (attention.size > 0) await statements.askAttention([...attention.values()])
  const answer = { now, answers, nextWakeAt: earliest(next) }
  return { answer, kept: [...kept.values()] }
}

export interface RecordedOutcomes {
  readonly answer: RecordAnswer
  /** What may be kept of it once the transaction has committed. */
  readonly kept: readonly KeptMemory[]
}

/** In the transaction that changes them: their plans are locked. */
async function readMemories(
  statements: HotStatements,
  planning: Planning,
  outcomes: readonly Outcome[],
): Promise<Map<string, Memory>> {
  const memories = new Map<string, Memory>()
  const missing = new Set<string>()
  for (const { endpointId, fence } of outcomes) {
    if (memories.has(endpointId) || !planning.learnsFrom(endpointId)) continue
    const memory = planning.takeMemory(endpointId, fence)
    if (memory === null) missing.add(endpointId)
    else memories.set(endpointId, memory)
  }
  if (missing.size === 0) return memories
  for (const row of await statements.readMemories([...missing])) {
    const memory = memoryOf(storedMemoryOf(row))
    if (memory !== null) memories.set(row.endpoint_id, memory)
  }
  return memories
}

async function writeSessions(
  statements: HotStatements,
  sessions: readonly LearnedSession[],
): Promise<void> {
  await statements.addSessions(sessions.map(({ session }) => session))
  const audits = sessions.flatMap(({ audit }) => (audit === null ? [] : [audit]))
  if (audits.length > 0) await statements.addAudits(audits)
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

/**
 * Somebody cancelled the run while its owner was sending it, and could not know that it had begun.
 * An owner whose lease ran out has no say in it any more.
 */
function isUntoldStart({ fence, attempts }: Outcome, state: RunState): boolean {
  if (state.status !== 'cancelled' || state.reason === 'worker_lost') return false
  return state.fence === fence && state.startedAt === null && attempts > state.attempts
}

function earliest(plans: readonly Plan[]): number | null {
  let earliest: number | null = null
  for (const plan of plans) {
    const { at } = wakeOf(plan)
    if (at !== null && (earliest === null || at < earliest)) earliest = at
  }
  return earliest
}
