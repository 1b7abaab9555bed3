import { isId } from './id.js'
import type { RunSource } from './plan.js'

export const endedStatuses = [
  'success',
  'failure',
  'timeout',
  'cancelled',
  'skipped',
  'missed',
  'unschedulable',
] as const
export const runStatuses = ['pending', 'running', ...endedStatuses] as const
export type EndedStatus = (typeof endedStatuses)[number]
export type RunStatus = (typeof runStatuses)[number]

/** Periods one after the other that could not be scheduled, which have one row together. */
export interface Stretch {
  readonly first: string
  readonly last: string
  readonly count: number
  /** There are more than were counted. */
  readonly more?: true
}

export interface RunError {
  readonly code: string
  readonly message: string
}

interface GivenReason {
  readonly reason: string | null
  /** Who gave the hint; older runs do not say it. */
  readonly giver?: string
}

/** What stood behind a run when it was claimed. */
export interface RunContext {
  readonly failureCount: number
  readonly intervalHint?: GivenReason & { readonly intervalMs: number }
  readonly oneShotHint?: GivenReason & { readonly nextRunAt: number }
  /** What the schedule wanted and a constraint refused, such as `minIntervalMs`. */
  readonly violations?: readonly string[]
  readonly replayOf?: string
  readonly stretch?: Stretch
}

export interface RunResponse {
  readonly httpStatus: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
  readonly truncated: boolean
}

export interface Run extends RunKey {
  readonly tenantId: string
  readonly periodId: string
  readonly source: RunSource
  readonly status: RunStatus
  /** Why it was skipped, missed or cancelled: `concurrency`, `worker_lost`, ... */
  readonly reason: string | null
  readonly fence: number
  readonly owner: string | null
  readonly claimedAt: number | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly attempts: number
  readonly error: RunError | null
  readonly response: RunResponse | null
  /** What the response asked of its schedule and did not get, and why. */
  readonly notes: readonly string[]
  readonly context: RunContext
}

/** The two values that make a run unique, in the store as well. */
export interface RunKey {
  readonly endpointId: string
  readonly scheduledFor: number
}

/** What a run has that no worker has taken. */
export const untaken = {
  owner: null,
  claimedAt: null,
  startedAt: null,
  attempts: 0,
  response: null,
  notes: [],
} as const satisfies Partial<Run>

/**
 * A run's id spells out its key, so that no second index is needed to find a run by its id, and
 * two runs of one period can't have different ids.
 */
export function runId({ endpointId, scheduledFor }: RunKey): string {
  return `run_${endpointId.slice(3)}_${scheduledFor.toString(36)}`
}

/** What every run's id looks like, as a regular expression. */
export const runIdPattern = '^run_[0-9a-hjkmnp-tv-z]{26}_[0-9a-z]{1,11}$'

/** The key in a run's id, or null when the text is no run's id. */
export function parseRunId(text: string): RunKey | null {
  const match = /^run_([0-9a-z]{26})_([0-9a-z]{1,11})$/.exec(text)
  if (match === null) return null
  const endpointId = `ep_${match[1]}`
  const scheduledFor = Number.parseInt(match[2]!, 36)
  if (!isId('ep', endpointId) || scheduledFor > 8.64e15) return null
  return { endpointId, scheduledFor }
}

/**
 * The constraints that a run met, by the names of the endpoint's fields where it has one: those of
 * its schedule, which are written when it is claimed, and those of its execution, which its end
 * tells anyway. So nothing more has to be written for each run, and older rows tell theirs too.
 */
export function violationsOf({ context, status, reason, error, response }: Run): string[] {
  const violations = [...(context.violations ?? [])]
  if (status === 'timeout') {
    violations.push(error?.code === 'connect_timeout' ? 'connectTimeoutMs' : 'timeoutMs')
  }
  if (reason === 'lease_expired') violations.push('maxExecutionTimeMs')
  if (response?.truncated === true) violations.push('maxResponseSizeKb')
  return violations
}
