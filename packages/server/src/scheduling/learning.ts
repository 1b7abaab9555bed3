import { type IntervalHint, maxTtlMinutes, type OneShotHint, type Plan } from '../domain/index.js'
import {
  fingerprintOf,
  type Look,
  learn,
  type Memory,
  type Mode,
  newMemory,
  type WantedRun,
  type Wish,
  wantedRun,
} from '../learner/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import {
  actionOf,
  conditionOf,
  type LearnedNote,
  type Occasion,
  occasionOf,
  sentenceOf,
} from './learned-note.js'
import type { Outcome } from './planning.js'
import { type Pupil, pupilOf } from './pupil.js'
import { replan } from './replan.js'

/** Who the learner is in hints and in the audit log. */
export const learnerName = 'planner:rules'

/** What the learner makes of a run that ended. */
export interface Learned {
  readonly memory: Memory
  /** The plan with the hint that follows, where planners may act. */
  readonly plan: Plan
  readonly note: LearnedNote | null
}

/**
 * Learns from a run that ended, and hints at the next one where the endpoint has `planner: on`. All
 * that counts is in the arguments: the same history gives the same memory and the same hints, on
 * every machine. null where there is nothing to learn.
 */
export function learnOutcome(
  plan: Plan,
  outcome: Outcome,
  compiled: CompiledEndpoint,
  remembered: Memory | null,
  now: number,
  retryAfterMs: number | null,
): Learned | null {
  const { planner } = compiled.endpoint.definition
  const kind = kindOf(outcome, retryAfterMs)
  if (planner === 'off' || kind === null) return null
  const pupil = pupilOf(compiled)
  const { band, resource } = pupil
  const at = outcome.startedAt
  // What was learned of another resource says nothing of this one.
  const isSame = remembered?.resource === resource
  const memory = isSame ? remembered : { ...newMemory(band.baselineMs, at), resource }
  const before = conditionOf(memory)
  const changed = kind === 'ok' && see(memory, outcome, pupil)
  const look: Look = { at, kind, changed, retryAfterMs: fromStart(retryAfterMs, outcome) }
  const isFollowed = planner === 'on'
  const wish = learn(memory, look, band, isFollowed)
  const wanted = wantedRun(wish, at, pupil.calendar, band)
  const advised = hinted(plan, wanted, wish, now)
  const occasion = occasionOf(before, memory, at)
  const note = occasion && noteOf(occasion, memory, { plan, advised, wanted, wish }, compiled, now)
  if (note !== null) memory.notedAt = at
  return { memory, plan: isFollowed ? advised : plan, note }
}

interface Advised {
  readonly plan: Plan
  readonly advised: Plan
  readonly wanted: WantedRun
  readonly wish: Wish
}

function noteOf(
  why: Occasion,
  memory: Memory,
  { plan, advised, wanted, wish }: Advised,
  compiled: CompiledEndpoint,
  now: number,
): LearnedNote {
  const { endpoint } = compiled
  const { definition } = endpoint
  // Hints of planners count only where they may act; of a suggestion it is asked what if.
  const asIfOn = {
    ...compiled,
    endpoint: { ...endpoint, definition: { ...definition, planner: 'on' as const } },
  }
  const planned = (one: Plan): LearnedNote['before'] => {
    const { nextRunAt, source } = replan({ ...one, held: null }, asIfOn, now)
    return { nextRunAt, source }
  }
  const hint = advised.intervalHint ?? advised.oneShotHint
  const action =
    hint === null || !isLearners(hint)
      ? null
      : actionOf(wanted, hint.expiresAt, reasonOf(wish), now)
  return {
    why,
    said: sentenceOf(why, memory, pupilOf(compiled), definition.planner === 'on'),
    action,
    before: planned(withoutOwn(plan)),
    after: planned(advised),
  }
}

const isLearners = (hint: { readonly by: string } | null): boolean => hint?.by === learnerName

const withoutOwn = (plan: Plan): Plan => ({
  ...plan,
  intervalHint: isLearners(plan.intervalHint) ? null : plan.intervalHint,
  oneShotHint: isLearners(plan.oneShotHint) ? null : plan.oneShotHint,
})

/** null for a run that never saw its target. */
function kindOf({ status, response }: Outcome, retryAfterMs: number | null): Look['kind'] | null {
  if (status === 'success') return 'ok'
  if (status !== 'failure' && status !== 'timeout') return null
  const code = response?.httpStatus ?? null
  return code === 429 || (code === 503 && retryAfterMs !== null) ? 'limited' : 'down'
}

const fromStart = (retryAfterMs: number | null, { startedAt, endedAt }: Outcome): number | null =>
  retryAfterMs === null ? null : retryAfterMs + Math.max(0, endedAt - startedAt)

/** Whether the answer differs from the one before; that is remembered. */
function see(memory: Memory, { response }: Outcome, { changeOf }: Pupil): boolean {
  const fingerprint = response === null ? null : fingerprintOf(response, changeOf)
  if (fingerprint === null) return false
  const before = memory.fingerprint
  memory.fingerprint = fingerprint
  return before >= 0 && before !== fingerprint
}

const minuteMs = 60_000
const minTtlMs = 15 * minuteMs
const maxTtlMs = maxTtlMinutes * minuteMs
/** A one-shot that its worker comes to late must not have expired. */
const spareMs = 60 * minuteMs

/**
 * People and responses come before any planner, and a model that was asked before the learner, which
 * is asked after each run.
 */
function hinted(plan: Plan, wanted: WantedRun, wish: Wish, now: number): Plan {
  if (isOthers(plan.intervalHint, now) || isOthers(plan.oneShotHint, now)) return plan
  const none = withoutOwn(plan)
  if (wanted === null) return none
  const reason = reasonOf(wish)
  if (wanted.kind === 'interval') {
    const { intervalMs } = wanted
    const expiresAt = now + Math.min(Math.max(3 * intervalMs, minTtlMs), maxTtlMs)
    return { ...none, intervalHint: { intervalMs, expiresAt, reason, by: learnerName } }
  }
  const expiresAt = wanted.at + spareMs
  // What is further away than any hint may last stays as the schedule has it.
  if (expiresAt > now + maxTtlMs) return none
  return { ...none, oneShotHint: { nextRunAt: wanted.at, expiresAt, reason, by: learnerName } }
}

function isOthers(hint: IntervalHint | OneShotHint | null, now: number): boolean {
  return hint !== null && hint.expiresAt > now && hint.by !== learnerName
}

const reasons: Readonly<Record<Mode, string>> = {
  spacing: 'from when it changed so far',
  outage: 'it is down, and looked at until it is back',
  limit: 'it limits how often it may be called',
}

const reasonOf = ({ mode }: Wish): string => reasons[mode]
