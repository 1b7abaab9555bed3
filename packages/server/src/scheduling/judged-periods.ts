import type { Verdict } from '@kron/core'
import type { Plan, RunSource } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { newestPeriod, type Period, scheduledPeriod, verdictOn } from './period.js'
import type { EndedRun } from './planning.js'
import { saidThrough, stretchBetween } from './unschedulable-stretch.js'

/** Periods that are written down one by one; of more than that the latest is jumped to. */
const maxRows = 100

interface JudgedPeriods {
  /** What came and does not run, each with its row. */
  readonly ended: readonly EndedRun[]
  /** The period that is to run now, if any. */
  readonly start: Period | null
  /** The latest planned time that has its verdict, without the one that is to start. */
  readonly handledThrough: number | null
  /** Ids of periods that had to start before the schedule counted with its present timing. */
  readonly notResponsible: readonly string[]
}

interface Judging {
  readonly source: RunSource
  readonly now: number
  /** Whether a run is, or may be, under way. */
  readonly active: boolean
  /** Each is judged as of its own time, at which a run held the endpoint, and not as of now. */
  readonly asOfTheirTime?: boolean
}

/**
 * Asks the core about a period that has come, and about those of the schedule after it that have
 * come too, until one is to start. Nothing is decided here: what the verdicts are is written down.
 */
export function judgePeriods(
  plan: Plan,
  compiled: CompiledEndpoint,
  first: Period,
  { source, now, active, asOfTheirTime = false }: Judging,
): JudgedPeriods {
  const ended: EndedRun[] = []
  const notResponsible: string[] = []
  let { handledThrough } = plan
  let before = first.ofSchedule ? saidThrough(plan, compiled.job!) : null
  let period: Period | null = first
  while (period !== null) {
    const at = asOfTheirTime ? period.at : now
    const verdict = verdictOn(period, compiled, { ...plan, handledThrough }, at, active)
    if (verdict.kind === 'suspended' || verdict.kind === 'wait') break
    ended.push(...stretchBetween(plan, compiled, before, period))
    if (verdict.kind === 'execute') {
      return { ended, start: period, handledThrough, notResponsible }
    }
    if (verdict.kind === 'notResponsible') notResponsible.push(period.periodId)
    const row = rowOf(plan, period, verdict, source)
    if (row !== null) {
      ended.push(row)
      handledThrough = Math.max(handledThrough ?? period.at, period.at)
    }
    if (!period.ofSchedule) break
    const { nominalTime } = period.decision
    // A period from before the schedule counted does not bring up again what was said.
    if (before !== null) before = Math.max(before, nominalTime)
    period = periodAfter(compiled, nominalTime, now, ended.length >= maxRows)
  }
  return { ended, start: null, handledThrough, notResponsible }
}

/** The row of a period that does not run; null when there is nothing to write down. */
export function rowOf(
  { endpointId }: Plan,
  { at, periodId }: Period,
  verdict: Verdict,
  source: RunSource,
): EndedRun | null {
  if (verdict.kind !== 'skipped' && verdict.kind !== 'missed') return null
  const { kind: status, reason } = verdict
  const wasRunning = false
  const key = { endpointId, scheduledFor: at, periodId }
  return { ...key, source, status, reason, error: null, wasRunning }
}

/** The next period of the schedule that has come by `now`, or the latest one. */
function periodAfter(
  { job }: CompiledEndpoint,
  nominal: number,
  now: number,
  jumps: boolean,
): Period | null {
  const latest = jumps ? newestPeriod(job!, now) : null
  const next = latest !== null && latest > nominal ? latest : job!.nextSchedulable(nominal)
  const period = next === null ? null : scheduledPeriod(job!, next)
  return period === null || period.at > now ? null : period
}
