/**
 * What a host has to do about one period now. `wait` and `suspended` are asked again later;
 * `notResponsible` is final too, but no outcome: nothing is recorded, and the next period is next.
 */
export type Verdict =
  | { readonly kind: 'suspended' }
  | { readonly kind: 'handled' }
  | { readonly kind: 'notResponsible' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'execute'; readonly replace: boolean }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'missed'; readonly reason: string }
  | { readonly kind: 'unschedulable'; readonly reason: string }

/** `concurrency`: forbidden while active. `superseded`: a later period's window has opened. */
export type SkipReason = 'concurrency' | 'superseded'
