import { formatInstant } from '@kron/core'
import { type Pace, realTime } from '../cluster/fast-clock.js'
import type { LedgerEntry } from './job-ledger.js'

/** A stretch of real time. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface JudgedJob {
  /** `namespace/name`. */
  readonly identity: string
  readonly concurrency: 'allow' | 'forbid' | 'replace'
  /** After the beginning of a period, when it is due at the latest. */
  readonly windowMs: number
}

export interface Case {
  readonly entries: readonly LedgerEntry[]
  readonly jobs: readonly JudgedJob[]
  readonly pace: Pace
  /** Of the schedule, and the deadline from the beginning on, on the clock of the controllers. */
  readonly periodMs: number
  readonly deadlineMs: number
  /** Between them, all periods had to be handled. */
  readonly observed: Stretch
  /** When there was no API server to create anything with; in order. */
  readonly outages: readonly Stretch[]
  /** When there was a controller that had read everything, for each of them. */
  readonly lives: readonly Stretch[]
}

export interface Judgement {
  readonly periods: number
  readonly twice: readonly string[]
  readonly lost: readonly string[]
  /** Not executed since the Job of an earlier period was in the way, as the policy has it. */
  readonly yielded: number
  /** Not executed since before the deadline there was no controller with an API server for it. */
  readonly cutOff: readonly string[]
  /** Began while another Job of the same KronJob was active, against its policy. */
  readonly overlapping: readonly string[]
}

/**
 * Real time in one piece that a controller may ask for to do its work on a busy machine, which is
 * given a slower pace.
 */
const minChanceMs = ({ factor }: Pace): number => 90_000 / factor

/**
 * Which periods have exactly one Job. A period counts if it began, and could no longer be executed,
 * while the controllers were observed; Jobs of all periods count for what must not be twice.
 */
export function judge(scene: Case): Judgement {
  const byPeriod = Map.groupBy(scene.entries, ({ kronJob, period }) => `${kronJob} ${period}`)
  const twice = [...byPeriod].filter(([, entries]) => entries.length > 1).map(([name]) => name)
  const least = minChanceMs(scene.pace)
  const lost: string[] = []
  let periods = 0
  let yielded = 0
  const cutOff: string[] = []
  for (const nominal of nominalTimes(scene)) {
    for (const job of scene.jobs) {
      periods++
      const name = `${job.identity} ${formatInstant(nominal)}`
      if (byPeriod.has(name)) continue
      const chance = chanceOf(scene, job, nominal)
      if (hadToYield(scene, job, chance)) yielded++
      else if (bestChance(scene, clearOf(scene, job, chance)) < least) cutOff.push(name)
      else lost.push(name)
    }
  }
  return { periods, twice, lost, yielded, cutOff, overlapping: overlapping(scene) }
}

function nominalTimes({ pace, periodMs, observed }: Case): number[] {
  const times: number[] = []
  const first = Math.ceil(pace.since / periodMs) * periodMs
  for (
    let nominal = first;
    realTime(pace, nominal + periodMs) <= observed.to;
    nominal += periodMs
  ) {
    if (realTime(pace, nominal) >= observed.from) times.push(nominal)
  }
  return times
}

/** From when on it was due, whatever its window, until when it could be executed. */
function chanceOf(
  { pace, deadlineMs, periodMs }: Case,
  { windowMs }: JudgedJob,
  nominal: number,
): Stretch {
  const last = Math.min(nominal + deadlineMs, nominal + periodMs)
  return { from: realTime(pace, nominal + windowMs), to: realTime(pace, last) }
}

/** The longest time in one piece that one controller had without an outage. */
function bestChance({ lives, outages }: Case, chance: Stretch): number {
  let longest = 0
  for (const life of lives) {
    const to = Math.min(life.to, chance.to)
    let from = Math.max(life.from, chance.from)
    for (const outage of outages) {
      if (outage.to <= from || outage.from >= to) continue
      longest = Math.max(longest, outage.from - from)
      from = outage.to
    }
    longest = Math.max(longest, to - from)
  }
  return longest
}

/** From when on a replacement can be created: who is replaced has to be gone, and takes its time. */
function clearOf(
  { entries }: Case,
  { identity, concurrency }: JudgedJob,
  chance: Stretch,
): Stretch {
  if (concurrency !== 'replace') return chance
  const isInTheWay = (one: LedgerEntry): boolean =>
    one.kronJob === identity && one.createdAt <= chance.from
  const ends = entries.filter(isInTheWay).map(endOf)
  return { from: Math.max(chance.from, ...ends), to: chance.to }
}

const endOf = ({ endedAt, goneAt }: LedgerEntry): number =>
  endedAt ?? goneAt ?? Number.POSITIVE_INFINITY

/** Forbidden: if another one was active at any time when it was due. Replaced: if it never went. */
function hadToYield(
  { entries, pace }: Case,
  { identity, concurrency }: JudgedJob,
  chance: Stretch,
): boolean {
  const others = entries.filter(({ kronJob }) => kronJob === identity)
  if (concurrency === 'allow') return false
  return others.some((other) => {
    const until = endOf(other)
    const begins = other.createdAt <= chance.to
    if (concurrency === 'forbid') return begins && until >= chance.from
    return other.createdAt <= chance.from && until > chance.to - minChanceMs(pace)
  })
}

function overlapping({ entries, jobs }: Case): string[] {
  const exclusive = jobs.filter(({ concurrency }) => concurrency !== 'allow')
  const names = new Set(exclusive.map(({ identity }) => identity))
  const found: string[] = []
  for (const [kronJob, all] of Map.groupBy(entries, (entry) => entry.kronJob)) {
    if (!names.has(kronJob)) continue
    for (const [index, entry] of all.entries()) {
      const before = all.slice(0, index)
      // In the order of etcd: what has ended before has been seen to end before.
      const isActive = (one: LedgerEntry): boolean =>
        (one.endedAt ?? Number.POSITIVE_INFINITY) > entry.createdAt &&
        (one.goneAt ?? Number.POSITIVE_INFINITY) > entry.createdAt
      if (before.some(isActive)) found.push(`${kronJob} ${entry.period}`)
    }
  }
  return found
}
