import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileJob, type Job, parseSchedule } from '@kron/core'
import { type Effort, measure } from '../measure.ts'
import { ownCopy } from '../own-copy.ts'

export interface SchedulableTiming {
  readonly schedule: string
  /** The first question to a process that has asked nothing yet, the job being compiled. */
  readonly coldNs: number
  readonly bestNs: number
  readonly medianNs: number
  /** Period by period, as long as it takes; null when that takes more than a million of them. */
  readonly walkNs: number | null
  /** Periods that were passed over. */
  readonly passed: number | null
}

export interface SchedulableResults {
  readonly timings: readonly SchedulableTiming[]
}

/** A Friday evening, from which most of these are far away. */
const askedAt = Date.UTC(2026, 10, 13, 17, 59)

/** What people write, and some that are rarer than that. */
const schedules = [
  '* * * * * @only(hours=9-17;dow=MON-FRI)',
  '* * * * * @only(hours=9-17;dow=MON-FRI) @tz(America/New_York)',
  '* * * * * @only(dow=MON)',
  '*/5 * * * * @only(dom=1)',
  '* * * * * * @only(hours=3)',
  '0 * * * * @only(months=6)',
  '* * * * * * @only(months=6)',
  '* * * * * @avoid(dates=2026-11-13..2027-01-02)',
  '*/15 * * * * @avoid(between=22:00-06:00;dow=SAT,SUN) @tz(Europe/Paris)',
  '0 3 * * * @win(after,3h) @only(dow=SAT)',
  '0 3 * * * @win(after,3h) @avoid(dates=2026-12-01..2027-03-31) @tz(America/New_York)',
  '0 8 * * * @win(after,9h) @only(between=12:00-12:05)',
  '0 0 13 * * @only(dow=FRI)',
  '0 0 29 2 * @only(dow=MON)',
]

const maxWalked = 1_000_000

const jobOf = (schedule: string): Job =>
  compileJob({ identity: 'bench/next', ...parseSchedule(schedule, { dialect: 'extended' }) })

const askLoop = (job: Job, at: number, iterations: number): number => {
  let sum = 0
  for (let i = 0; i < iterations; i++) sum += job.nextSchedulable(at) ?? 0
  return sum
}

export function runSchedulable(effort: Effort): SchedulableResults {
  const contenders = schedules.map((name) => {
    const job = jobOf(name)
    const loop = ownCopy(askLoop)
    return { name, run: (count: number) => loop(job, askedAt, count) }
  })
  const timings = measure(contenders, effort).map(({ name, bestNs, medianNs }) => ({
    schedule: name,
    coldNs: coldNs(name, effort.rounds),
    bestNs,
    medianNs,
    ...walk(jobOf(name)),
  }))
  return { timings }
}

const coldProcess = fileURLToPath(new URL('../cold-process.ts', import.meta.url))

/** The best of several fresh processes, since noise only ever adds time. */
function coldNs(schedule: string, rounds: number): number {
  const samples = Array.from({ length: rounds }, () => {
    const { stdout } = spawnSync(process.execPath, [coldProcess, schedule], { encoding: 'utf8' })
    return Number(stdout)
  })
  return Math.min(...samples)
}

function walk(job: Job): Pick<SchedulableTiming, 'walkNs' | 'passed'> {
  const began = process.hrtime.bigint()
  let nominal = job.nextPeriod(askedAt)
  for (let passed = 0; nominal !== null && passed < maxWalked; passed++) {
    if (!job.decide(nominal).unschedulable) {
      return { walkNs: Number(process.hrtime.bigint() - began), passed }
    }
    nominal = job.nextPeriod(nominal)
  }
  return { walkNs: null, passed: null }
}
