import { backoffMs } from '@kron/runtime'
import {
  endpointFields,
  type FieldName,
  type FieldValue,
  fieldNames,
  maxExecutionTimeLimitMs,
} from './endpoint-fields.js'
import type { Retry } from './retry.js'

type Fields = typeof endpointFields

type BaselineField = {
  [Name in FieldName]: Fields[Name] extends { readonly isBaseline: true } ? Name : never
}[FieldName]

/** An endpoint as people write it: flat, with its headers in the clear. */
export type EndpointDraft = {
  readonly [Name in keyof Fields]: FieldValue<Name>
}

/** The baseline: exactly one of `cron` and `intervalMs`. */
export type Baseline = Pick<EndpointDraft, BaselineField>

/**
 * An endpoint as it is stored, with its headers sealed. It changes as a whole; `version` counts the
 * changes.
 */
export interface EndpointDefinition extends Omit<EndpointDraft, BaselineField> {
  readonly baseline: Baseline
}

/** All of a draft but the headers, which are sealed and looked after by themselves. */
export type Drafted = Omit<EndpointDraft, 'headers'>

export function definitionOf(
  draft: Drafted,
  sealedHeaders: EndpointDefinition['headers'],
): EndpointDefinition {
  const { cron, timezone, intervalMs, jitterMs, ...same } = draft
  return { ...same, headers: sealedHeaders, baseline: { cron, timezone, intervalMs, jitterMs } }
}

/** What an endpoint says of itself now. */
export function draftOf({ definition }: Pick<Endpoint, 'definition'>): Drafted {
  const { headers: _, baseline, ...same } = definition
  return { ...same, ...baseline }
}

type Required = 'name' | 'url'

/** What people get who say nothing about it: everything but a name, a URL and a baseline. */
export const defaultDraft = Object.fromEntries(
  fieldNames.flatMap((name) => {
    const field = endpointFields[name]
    return 'default' in field ? [[name, field.default]] : []
  }),
) as unknown as Omit<EndpointDraft, Required>

export const defaultDefinition: Omit<EndpointDefinition, Required> = withoutRequired(
  definitionOf({ ...defaultDraft, name: '', url: '' }, {}),
)

function withoutRequired({ name: _name, url: _url, ...others }: EndpointDefinition) {
  return others
}

export interface Endpoint {
  readonly id: string
  readonly tenantId: string
  readonly jobId: string
  /** What its windows and its jitter are drawn from. It stays when the endpoint is renamed. */
  readonly identity: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  readonly definition: EndpointDefinition
}

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

/** The draft with a change applied; headers are changed on their own. */
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
