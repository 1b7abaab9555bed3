import { backoffMs } from '@kron/runtime'
import {
  type Drafted,
  defaultDraft,
  type EndpointDraft,
  maxExecutionTimeLimitMs,
  type Retry,
} from '../../domain/index.js'

/** Given fields replace, null clears (back to the default), absent ones stay. */
export type EndpointChange = {
  readonly [Field in keyof EndpointDraft]?: EndpointDraft[Field] | null | undefined
}

/** What a worker needs beyond the exchanges themselves: to wait for its turn, and to record. */
const workerMs = 30_000
const minExecutionTimeLimitMs = 60_000

/** Long enough for every attempt to take all of its time, after the longest delays. */
export function defaultExecutionTimeMs({
  timeoutMs,
  retry,
}: Pick<EndpointDraft, 'timeoutMs' | 'retry'>): number {
  const attempts = retry?.attempts ?? 1
  const wanted = attempts * timeoutMs + longestDelaysMs(retry) + workerMs
  return Math.min(Math.max(minExecutionTimeLimitMs, wanted), maxExecutionTimeLimitMs)
}

/** All delays between attempts; what jitter does is to shorten them. */
function longestDelaysMs(retry: Retry | null): number {
  if (retry === null) return 0
  const { attempts, backoffMs: firstMs, maxDelayMs: maxMs } = retry
  let total = 0
  for (let failed = 0; failed < attempts - 1; failed++) {
    total += backoffMs({ firstMs, maxMs }, failed + 1)
  }
  return total
}

/** The draft with a change applied; headers are seen to by themselves. */
export function changedDraft(before: Drafted, change: EndpointChange): Drafted {
  const { headers: _, ...others } = change
  const after: Record<string, unknown> = { ...before }
  for (const [field, value] of Object.entries(others)) {
    if (value === undefined) continue
    after[field] = value ?? defaultDraft[field as keyof typeof defaultDraft]
  }
  const draft = after as unknown as Drafted
  const derives = derivesExecutionTime(before, change)
  return derives ? { ...draft, maxExecutionTimeMs: defaultExecutionTimeMs(draft) } : draft
}

/** Nobody who asks for a longer timeout or for retries should have to know of the lease. */
function derivesExecutionTime(before: Drafted, change: EndpointChange): boolean {
  if (change.maxExecutionTimeMs === null) return true
  const isUsual = before.maxExecutionTimeMs === defaultExecutionTimeMs(before)
  return change.maxExecutionTimeMs === undefined && isUsual
}
