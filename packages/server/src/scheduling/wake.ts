import { isQuotaHold, type Plan } from '../domain/index.js'

/** Time after a lease in which its owner's last words may still arrive. */
export const leaseGraceMs = 2_000

/**
 * Every endpoint that can go on by itself has one instant at which it wakes, and one index orders
 * them all: there is nothing else that a worker would have to look for.
 *
 * - `due`: a run is planned or asked for; it may be claimed ahead of its time.
 * - `exact`: a run is planned that ends the one before it; before its time that one may go on.
 * - `held`: a run is under way; waking means that its worker was lost.
 * - `waiting`: nothing is to run, but a plan is to be made (a pause, a quota or a hint ends).
 */
export type WakeKind = 'due' | 'exact' | 'held' | 'waiting'

export interface Wake {
  readonly at: number | null
  readonly kind: WakeKind
}

export function wakeOf(plan: Plan): Wake {
  if (plan.held !== null) return { at: plan.held.leaseUntil + leaseGraceMs, kind: 'held' }
  const planned = plannedWake(plan)
  const requested = plan.requested?.at ?? null
  if (requested !== null && (planned.at === null || requested < planned.at)) {
    return { at: requested, kind: 'due' }
  }
  return planned
}

function plannedWake(plan: Plan): Wake {
  const { suspended, nextRunAt, source, exact, oneShotHint, intervalHint } = plan
  if (suspended || nextRunAt === null) return { at: null, kind: 'due' }
  if (source === 'paused' || isQuotaHold(source)) return { at: nextRunAt, kind: 'waiting' }
  // A hint that ends before the run it asked for asks for nothing any more.
  const isClamped = source === 'clamped-min' || source === 'clamped-max'
  const ending = Math.min(
    isClamped || source === 'ai-oneshot' ? endOf(oneShotHint) : Infinity,
    isClamped || source === 'ai-interval' ? endOf(intervalHint) : Infinity,
  )
  if (ending < nextRunAt) return { at: ending, kind: 'waiting' }
  return { at: nextRunAt, kind: exact ? 'exact' : 'due' }
}

const endOf = (hint: { readonly expiresAt: number } | null): number => hint?.expiresAt ?? Infinity
