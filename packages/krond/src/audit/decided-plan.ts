import type { AuditState } from './audit-state.js'
import type { JobRecord, Plan } from './job-record.js'
import type { LogLine } from './log-line.js'

/** What was decided about a period before this line, or null after saying that nothing was. */
export function decidedPlan(
  { findings }: Pick<AuditState, 'findings'>,
  record: JobRecord,
  line: LogLine,
  nominal: number,
): Plan | null {
  const { phase, plan, trigger } = record
  if (phase === 'planned' && plan?.nominal === nominal) return plan
  if (phase === 'triggered' && trigger?.nominal === nominal) return trigger.plan
  if (phase === 'unknown' && !record.isWhole) findings.unverified++
  else findings.violated('undecided', line, 'no decision of this period before')
  return null
}
