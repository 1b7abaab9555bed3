import { formatDuration, type Job, limits, quote } from '@kron/core'
import type { JsonRecord } from '../../kronjob/schema/json-schema.js'
import { type Note, Refusal } from './conversion.js'

export interface ConvertedPolicy {
  readonly policy: JsonRecord
  readonly notes: readonly Note[]
}

const concurrencyOf: Readonly<Record<string, string>> = {
  Allow: 'allow',
  Forbid: 'forbid',
  Replace: 'replace',
}

/** What a CronJob does when it is late, overlaps itself or is not wanted; `job` has its times. */
export function convertedPolicy(
  spec: JsonRecord,
  job: Job,
  now: number,
): ConvertedPolicy | Refusal {
  const { concurrencyPolicy, suspend } = spec
  const concurrency = concurrencyOf[String(concurrencyPolicy ?? 'Allow')]
  if (concurrency === undefined) {
    const choices = Object.keys(concurrencyOf).join(', ')
    const got = quote(concurrencyPolicy)
    return new Refusal(`spec.concurrencyPolicy must be one of ${choices}, got ${got}`)
  }
  const deadline = convertedDeadline(spec['startingDeadlineSeconds'], job, now)
  if (deadline instanceof Refusal) return deadline
  return {
    policy: {
      concurrency,
      deadline: formatDuration(deadline.ms),
      ...(suspend !== undefined && { suspend }),
    },
    notes: [...concurrencyNotes(concurrencyPolicy), ...deadline.notes],
  }
}

/** What the same word does otherwise here. */
const differenceOf: Readonly<Record<string, string>> = {
  Forbid:
    'A CronJob whose Job is still active starts the run late, when that Job ends; a KronJob ' +
    'skips the period.',
  Replace:
    'A CronJob creates the next Job at once, beside Pods that still end; a KronJob waits until ' +
    'they are gone, within the deadline.',
}

function concurrencyNotes(concurrencyPolicy: unknown): Note[] {
  const message =
    concurrencyPolicy === undefined
      ? 'Where a CronJob says nothing it allows this; a KronJob would forbid it.'
      : differenceOf[String(concurrencyPolicy)]
  return message === undefined ? [] : [{ path: ['spec', 'policy', 'concurrency'], message }]
}

interface ConvertedDeadline {
  readonly ms: number
  readonly notes: readonly Note[]
}

const path = ['spec', 'policy', 'deadline']

function convertedDeadline(seconds: unknown, job: Job, now: number): ConvertedDeadline | Refusal {
  if (seconds === undefined) return unlimited(job, now)
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0) {
    const got = quote(seconds)
    return new Refusal(`spec.startingDeadlineSeconds must be a whole number from 0 on, got ${got}`)
  }
  const ms = seconds * 1000
  if (ms <= limits.deadlineMs) return { ms, notes: [] }
  const most = formatDuration(limits.deadlineMs)
  const message = `${seconds} seconds in the CronJob; ${most} is the most that a KronJob can have.`
  return { ms: limits.deadlineMs, notes: [{ path, message }] }
}

/** However late, but only the latest run: so until the next one is due. */
function unlimited(job: Job, now: number): ConvertedDeadline {
  const gap = longestGap(job, now) ?? limits.deadlineMs
  const ms = Math.min(roundedUp(gap), limits.deadlineMs)
  const reach =
    ms < gap ? 'is the most that a KronJob can have' : 'covers the longest time between two runs'
  const message =
    'A CronJob without startingDeadlineSeconds starts its latest missed run however late; ' +
    `${formatDuration(ms)} ${reach}.`
  return { ms, notes: [{ path, message }] }
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A year and a clock change in each direction, and then as long as it costs little. */
const minMs = 400 * day
const maxMs = 9 * 366 * day
const maxPeriods = 20_000

/** The longest time from one period to the next, as far as it is looked ahead. */
export function longestGap(job: Job, from: number): number | null {
  let longest: number | null = null
  let before = job.nextPeriod(from)
  for (let count = 0; before !== null; count++) {
    const next = job.nextPeriod(before)
    if (next === null) break
    longest = Math.max(longest ?? 0, next - before)
    before = next
    const seen = before - from
    if (seen > maxMs || (seen > minMs && count > maxPeriods)) break
  }
  return longest
}

/** A little more, in units that people read at a glance. */
export function roundedUp(ms: number): number {
  const unit = ms < hour ? minute : ms < 14 * day ? hour : day
  return Math.ceil(ms / unit) * unit
}
