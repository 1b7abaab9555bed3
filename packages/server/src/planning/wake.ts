import type { Plan } from '../domain/index.js'

/** Time after a lease in which its owner's last words may still arrive. */
export const leaseGraceMs = 2_000

/**
 * Every endpoint that can go on by itself has one instant at which it wakes, and one index orders
 * them all: there is nothing else that a worker would have to look for.
 *
 * - `due`: a run is planned or asked for; it may be claimed ahead of its time.
 * - `held`: a run is under way; waking means that its worker was lost.
 * - `waiting`: nothing is to run, but a plan is to be made (a pause or a quota ends).
 */
export type WakeKind = 'due' | 'held' | 'waiting'

export interface Wake {
  readonly at: number | null
  readonly kind: WakeKind
}

export function wakeOf(plan: Plan): Wake {
  if (plan.held !== null) return { at: plan.held.leaseUntil + leaseGraceMs, kind: 'held' }
  const planned = plan.suspended ? null : plan.nextRunAt
  const requested = plan.requested?.at ?? null
  if (requested !== null && (planned === null || requested < planned)) {
    return { at: requested, kind: 'due' }
  }
  const waiting = plan.source === 'paused' || plan.source === 'quota'
  return { at: planned, kind: waiting ? 'waiting' : 'due' }
}
