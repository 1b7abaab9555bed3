import { backoffMs } from '@kron/runtime'
import {
  type Body,
  defaultDefinition,
  type Endpoint,
  type EndpointDefinition,
  type Method,
  type Retry,
} from '../../domain/index.js'

/** An endpoint as people write it: flat, with its headers in the clear. */
export interface EndpointDraft {
  readonly name: string
  readonly description: string | null
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | null
  readonly cron: string | null
  readonly timezone: string | null
  readonly intervalMs: number | null
  readonly jitterMs: number | null
  readonly minIntervalMs: number | null
  readonly maxIntervalMs: number | null
  readonly timeoutMs: number
  readonly maxExecutionTimeMs: number
  readonly maxResponseSizeKb: number
  readonly concurrency: EndpointDefinition['concurrency']
  readonly deadlineMs: number | null
  readonly retry: Retry | null
  readonly onWorkerLoss: EndpointDefinition['onWorkerLoss']
  readonly redirects: EndpointDefinition['redirects']
  readonly failureCountPolicy: EndpointDefinition['failureCountPolicy']
  readonly steering: boolean
  readonly planner: EndpointDefinition['planner']
  readonly adaptive: EndpointDefinition['adaptive']
  readonly secret: string | null
  readonly keepResponses: boolean
}

/** All of it but the headers, which are sealed and seen to by themselves. */
export type Drafted = Omit<EndpointDraft, 'headers'>

/** Given fields replace, null clears (back to the default), absent ones stay. */
export type EndpointChange = {
  readonly [Field in keyof EndpointDraft]?: EndpointDraft[Field] | null | undefined
}

/** What a worker needs beyond the exchanges themselves: to wait for its turn, and to record. */
const workerMs = 30_000
const minExecutionTimeLimitMs = 60_000
export const maxExecutionTimeLimitMs = 86_400_000

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

const { baseline, ...defaultSettings } = defaultDefinition

export const defaultDraft: Omit<EndpointDraft, 'name' | 'url'> = { ...defaultSettings, ...baseline }

/** What an endpoint says of itself now. Its headers are sealed and are not part of it. */
export function draftOf({ definition }: Endpoint): Drafted {
  const { headers: _, baseline, ...same } = definition
  return { ...same, ...baseline }
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

export function definitionOf(
  draft: Drafted,
  sealedHeaders: Readonly<Record<string, string>>,
): EndpointDefinition {
  const { cron, timezone, intervalMs, jitterMs, ...same } = draft
  return { ...same, headers: sealedHeaders, baseline: { cron, timezone, intervalMs, jitterMs } }
}
