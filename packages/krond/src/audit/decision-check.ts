import { dueTime, formatInstant, type Job, KronError, tzdataVersion } from '@kron/core'
import type { CompiledSchedule, JobRecord } from './job-record.js'
import type { AuditState } from './life.js'
import { instantOf, type LogLine, placeOf } from './log-line.js'
import { checkNextPeriod } from './next-period-check.js'
import { checkPlanning, planned } from './planning-check.js'
import { type DecisionFields, differences, jobOf } from './recomputation.js'

/** Recomputes a decision and remembers what was planned, as the log has it. */
export function checkDecision(state: AuditState, record: JobRecord, line: LogLine): void {
  const fields = line.fields as unknown as DecisionFields
  const nominal = instantOf(fields.nominal_time)
  const chosen = fields.chosen_time === null ? null : instantOf(fields.chosen_time)
  const windowStart = instantOf(fields.window_start)
  const before = record.compiled
  const compiled = jobOf(record, fields)
  const job = compiled instanceof Error ? null : compiled
  const tzdata = fields.tzdata ?? state.life.tzdata
  const comparable = tzdata === tzdataVersion || job?.spec.timezone === 'UTC'
  checkLogged(state, line, fields, nominal, chosen)
  if (compiled instanceof Error) checkUnreadable(state, line, compiled, tzdata)
  else recompute(state, line, fields, compiled, nominal, comparable)
  checkPlanning(state, record, line, nominal)
  checkSchedule(state, record, line, before)
  const place = placeOf(line)
  const reason = fields.reason ?? null
  const period = { nominalTime: nominal, windowStart, chosenTime: chosen }
  const due = job === null ? (chosen ?? windowStart) : dueTime(job, period)
  const about = { place, nominal, windowStart, chosen, reason, job, comparable }
  if (job !== null) {
    if (comparable) checkNextPeriod(state, record, line, job, nominal)
    else record.passUnproven = null
    if (job.policy.suspend) {
      state.findings.violated('suspended', line, 'planned, although the schedule is suspended')
    }
  }
  const failures = record.plan?.nominal === nominal ? record.plan.failures : 0
  planned(state, record, { ...about, due, dueSince: line.index, queued: false, failures })
}

/** Only a reload brings another schedule: it was before, or follows. */
function checkSchedule(
  { findings, life }: AuditState,
  record: JobRecord,
  line: LogLine,
  before: CompiledSchedule | null,
): void {
  const { compiled, plannedSince } = record
  record.plannedSince = { index: line.index, life: life.number, gaps: life.gaps }
  if (plannedSince?.life !== life.number || plannedSince.gaps !== life.gaps) return
  if (before === compiled || life.lastReload > plannedSince.index) return
  if (life.changes.has(record.identity)) return
  findings.violated('replanned', line, `without a reload, its schedule was ${before?.schedule}`)
}

/** What the line alone shows, without computing anything again. */
function checkLogged(
  { findings, life }: AuditState,
  line: LogLine,
  fields: DecisionFields,
  nominal: number,
  chosen: number | null,
): void {
  const { tzdata } = fields
  if (tzdata !== undefined && life.tzdata !== null && tzdata !== life.tzdata) {
    const text = `made with tzdata ${tzdata}, but the daemon began with ${life.tzdata}`
    findings.violated('tzdata', line, text)
  }
  if (instantOf(fields.period_id) !== nominal) {
    findings.violated('period', line, `nominal_time ${fields.nominal_time} is another period`)
  }
  if (chosen === null) return
  if (chosen < instantOf(fields.window_start) || chosen > instantOf(fields.window_end)) {
    const window = `${fields.window_start} to ${fields.window_end}`
    findings.violated('window', line, `chosen_time ${fields.chosen_time} is not within ${window}`)
  }
}

function checkUnreadable(
  { findings }: AuditState,
  line: LogLine,
  error: Error,
  tzdata: string | null,
): void {
  const zoneMayBeNewer = error instanceof KronError && error.code === 'KRON_ZONE_UNKNOWN'
  if (zoneMayBeNewer && tzdata !== tzdataVersion) findings.notComparable++
  else findings.violated('schedule', line, error.message)
}

function recompute(
  { findings }: AuditState,
  line: LogLine,
  fields: DecisionFields,
  job: Job,
  nominal: number,
  comparable: boolean,
): void {
  const isPeriod = job.nextPeriod(nominal - 1) === nominal
  const different = differences(fields, job.decide(nominal))
  if (!comparable && (!isPeriod || different.length > 0)) {
    findings.notComparable++
    return
  }
  findings.recomputed++
  if (!isPeriod) {
    const text = `${formatInstant(nominal)} is no period of ${fields.schedule}`
    findings.violated('period', line, text)
  }
  if (different.length > 0) findings.violated('recomputed', line, different.join('; '))
}
