import { type Backoff, backoffMs, messageOf } from '@kron/runtime'
import { instantOf } from '../job/index.js'
import type { KronJob } from '../kronjob/index.js'
import { ApiFailure } from '../kube/index.js'
import { replacementWaiting, type Trouble, troubleSince } from './trouble.js'

/** A period whose Job is to be created, and how far that has come. */
export interface Attempt {
  readonly nominalTime: number
  readonly failures: number
  /** Until then a request that nobody answered may still take effect. */
  readonly uncertainUntil: number | null
  /** When its replacement began, if it has one. */
  readonly replacingSince: number | null
  /** When it began to wait for a Job to be gone, and when that was last logged. */
  readonly waitingSince: number | null
  readonly waitLoggedAt: number | null
  /** Why the last try failed, or what it waits for. */
  readonly failure: string | null
}

/** A period for which nothing has been tried yet. */
export const untried = (nominalTime: number): Attempt => ({
  nominalTime,
  failures: 0,
  uncertainUntil: null,
  replacingSince: null,
  waitingSince: null,
  waitLoggedAt: null,
  failure: null,
})

/** If the trouble in the status began with the period that is due, it is why the period waits. */
export function inheritedAttempt(kronJob: KronJob, trouble: Trouble | null): Attempt | null {
  const nominalTime = instantOf(kronJob.status?.nextPeriodID)
  const chosenTime = instantOf(kronJob.status?.nextChosenTime)
  const since = troubleSince(kronJob)
  if (trouble === null || nominalTime === null || chosenTime === null) return null
  if (since === null || since < chosenTime) return null
  return { ...untried(nominalTime), failure: failureOf(trouble) }
}

const failureOf = ({ reason, message }: Trouble): string =>
  reason === replacementWaiting ? message : refusedText(message)

/** Enough for people; some answers of webhooks are pages long. */
const maxCharacters = 500

/** Why the last try to start a period failed, in words for its outcome. */
export function failureText(error: unknown): string {
  const message = messageOf(error)
  const isRefused = error instanceof ApiFailure && error.status !== null
  return isRefused ? refusedText(message) : `no answer: ${message}`
}

function refusedText(message: string): string {
  return `refused: ${message}`
}

/** A period is missed by its deadline; people want to know what held it up until then. */
export function missedReason(late: string, failure: string | null): string {
  return failure === null ? late : `${late}; ${failure}`.slice(0, maxCharacters)
}

const firstMs = 100
const defaultBackoff: Backoff = { firstMs, maxMs: 5000 }
const refusedBackoff: Backoff = { firstMs, maxMs: 30_000 }

/**
 * How long to wait after so many failures in a row: 0.1 s, 0.2 s, ..., 5 s, or 30 s where the
 * server refused and will most likely do so again; at least as long as it asked for.
 */
export function retryDelayMs(failures: number, error: unknown): number {
  const failure = error instanceof ApiFailure ? error : null
  const isRefused = failure?.status != null && failure.status < 500 && failure.status !== 429
  const delayMs = backoffMs(isRefused ? refusedBackoff : defaultBackoff, failures)
  return Math.max(delayMs, failure?.retryAfterMs ?? 0)
}
