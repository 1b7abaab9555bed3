import { formatInstant, type Job, KronError, tzdataVersion } from '@kron/core'
import type { AuditState } from './audit-state.js'
import type { Findings } from './findings.js'
import type { JobRecord } from './job-record.js'
import { instantOf, type LogLine } from './log-line.js'
import { type DecisionFields, differences, jobOf } from './recomputation.js'

/** Recomputes a decision and remembers what was planned, as the log has it. */
export function checkDecision(
  { findings, tzdata }: AuditState,
  record: JobRecord,
  line: LogLine,
): void {
  const fields = line.fields as unknown as DecisionFields
  const nominal = instantOf(fields.nominal_time)
  const chosen = fields.chosen_time === null ? null : instantOf(fields.chosen_time)
  const job = jobOf(record, fields)
  checkLogged(findings, line, fields, nominal, chosen)
  if (job instanceof Error) checkUnreadable(findings, line, job, tzdata)
  else recompute(findings, line, fields, job, nominal, tzdata)
  const earlier = record.plan(nominal)
  record.decided({
    nominal,
    chosen,
    policy: job instanceof Error ? null : job.policy,
    trigger: earlier?.trigger ?? null,
  })
}

/** What can be told from the line alone, whoever computed it. */
function checkLogged(
  findings: Findings,
  line: LogLine,
  fields: DecisionFields,
  nominal: number,
  chosen: number | null,
): void {
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
  findings: Findings,
  line: LogLine,
  error: Error,
  tzdata: string | null,
): void {
  const zoneMayBeNewer = error instanceof KronError && error.code === 'KRON_ZONE_UNKNOWN'
  if (zoneMayBeNewer && tzdata !== tzdataVersion) findings.notComparable++
  else findings.violated('schedule', line, error.message)
}

function recompute(
  findings: Findings,
  line: LogLine,
  fields: DecisionFields,
  job: Job,
  nominal: number,
  tzdata: string | null,
): void {
  const isPeriod = job.nextPeriod(nominal - 1) === nominal
  const different = differences(fields, job.decide(nominal))
  // UTC is the same in every database.
  const comparable = tzdata === tzdataVersion || job.spec.timezone === 'UTC'
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
