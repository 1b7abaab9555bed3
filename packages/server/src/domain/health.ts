import { instantText, type Run, type RunStatus, runStatuses } from './index.js'

interface Streak {
  /** A timeout is a failure here. */
  readonly status: 'success' | 'failure'
  readonly length: number
}

/** How an endpoint has done, as a document: instants are text. */
export interface Health {
  /** Runs that were looked at. */
  readonly runs: number
  /** When the oldest of them was planned for. */
  readonly since: string | null
  readonly counts: Readonly<Record<RunStatus, number>>
  /** Of the runs that were sent and ended: success, failure, timeout. null without any. */
  readonly successRate: number | null
  readonly durationMs: {
    readonly p50: number
    readonly p90: number
    readonly p95: number
    readonly p99: number
    readonly max: number
  } | null
  /** From when a run was planned to when it started. */
  readonly latenessMs: { readonly p50: number; readonly p99: number } | null
  readonly streak: Streak | null
  readonly longestFailureStreak: number
  readonly lastSuccessAt: string | null
  readonly lastFailureAt: string | null
}

/** `runs` are the newest first. What was skipped, missed or cancelled ends no streak. */
export function healthOf(runs: readonly Run[]): Health {
  const counts = Object.fromEntries(runStatuses.map((status) => [status, 0])) as Counts
  for (const { status } of runs) counts[status] += 1
  const sent = runs.filter(({ status }) => statusOf(status) !== null)
  const durations = sorted(sent, ({ startedAt, endedAt }) => between(startedAt, endedAt))
  const lateness = sorted(runs, ({ scheduledFor, startedAt }) => between(scheduledFor, startedAt))
  return {
    runs: runs.length,
    since: runs.length === 0 ? null : instantText(runs.at(-1)!.scheduledFor),
    counts,
    successRate: sent.length === 0 ? null : counts.success / sent.length,
    durationMs: durations.length === 0 ? null : durationsOf(durations),
    latenessMs: lateness.length === 0 ? null : { p50: at(lateness, 50), p99: at(lateness, 99) },
    ...streaksOf(sent),
    lastSuccessAt: lastAt(sent, 'success'),
    lastFailureAt: lastAt(sent, 'failure'),
  }
}

type Counts = Record<RunStatus, number>

function statusOf(status: RunStatus): Streak['status'] | null {
  if (status === 'success') return 'success'
  return status === 'failure' || status === 'timeout' ? 'failure' : null
}

/** Two clocks may be involved, and a run is not early because one of them is slow. */
function between(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : Math.max(0, end - start)
}

function sorted(runs: readonly Run[], measure: (run: Run) => number | null): Float64Array {
  const values = runs.map(measure).filter((value) => value !== null)
  return Float64Array.from(values).sort()
}

/** The nearest rank: always a value that was measured. */
function at(values: Float64Array, percentile: number): number {
  return values[Math.max(0, Math.ceil((percentile / 100) * values.length) - 1)]!
}

function durationsOf(values: Float64Array): NonNullable<Health['durationMs']> {
  return {
    p50: at(values, 50),
    p90: at(values, 90),
    p95: at(values, 95),
    p99: at(values, 99),
    max: values.at(-1)!,
  }
}

function streaksOf(sent: readonly Run[]): Pick<Health, 'streak' | 'longestFailureStreak'> {
  const first = sent[0] === undefined ? null : statusOf(sent[0].status)!
  let length = 0
  let failures = 0
  let longestFailureStreak = 0
  for (const [index, run] of sent.entries()) {
    const status = statusOf(run.status)
    if (status === first && length === index) length++
    failures = status === 'failure' ? failures + 1 : 0
    longestFailureStreak = Math.max(longestFailureStreak, failures)
  }
  return { streak: first === null ? null : { status: first, length }, longestFailureStreak }
}

function lastAt(sent: readonly Run[], status: Streak['status']): string | null {
  const last = sent.find((run) => statusOf(run.status) === status)
  return last === undefined ? null : instantText(last.endedAt ?? last.scheduledFor)
}
