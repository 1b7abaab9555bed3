import type { ApiCall } from './passing-kube-api.js'

export type FaultKind =
  /** 409, as if somebody else had written meanwhile; no effect. */
  | 'conflict'
  /** 410; no effect. */
  | 'expired'
  /** 429 with a time to wait; no effect. */
  | 'throttled'
  /** 500; no effect. */
  | 'broken'
  /** 503; no effect. */
  | 'unavailable'
  /** No answer, after a while, and no effect. */
  | 'timed-out'
  /** No answer, at once, but the call takes effect. */
  | 'lost-answer'
  /** No answer, after a while, and the call takes effect later than that. */
  | 'late'
  /** The connection is cut: no answer and no effect. A watch ends as if it were over. */
  | 'cut'

export interface Fault {
  readonly kind: FaultKind
  /** After which the caller gives up, for `timed-out` and `late` (default 10,000). */
  readonly timeoutMs?: number
  /** From the call until it takes effect, for `late` (default 30,000). */
  readonly effectAfterMs?: number
  /** What a watch delivers before the fault (default 0: it hits the beginning). */
  readonly afterEvents?: number
}

export interface FaultPlan {
  readonly fault: Fault | FaultKind
  /** Which call fails, the first is 1. */
  readonly call: number
  /** Counts only such calls; all of them when left out. */
  readonly of?: (call: ApiCall) => boolean
  /** Whether all later ones of those fail as well (default false). */
  readonly forever?: boolean
}

/** Decides for each call whether and how it fails. */
export type FaultSource = (call: ApiCall) => Fault | null

/** To run something once for each call with each fault. */
export const everyFaultKind: readonly FaultKind[] = [
  'conflict',
  'expired',
  'throttled',
  'broken',
  'unavailable',
  'timed-out',
  'lost-answer',
  'late',
  'cut',
]

/** The first plan that says so decides. */
export function plannedFaults(plans: readonly FaultPlan[]): FaultSource {
  const counts = plans.map(() => 0)
  return (call) => {
    let chosen: Fault | null = null
    for (const [at, { fault, call: nth, of, forever = false }] of plans.entries()) {
      if (of?.(call) === false) continue
      const count = ++counts[at]!
      if (forever ? count < nth : count !== nth) continue
      chosen ??= typeof fault === 'string' ? { kind: fault } : fault
    }
    return chosen
  }
}
