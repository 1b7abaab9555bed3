import type { AuditReport } from './audit-report.js'
import { LogAudit } from './log-audit.js'

/** Checks all lines of a log, which must be in the order in which they were written. */
export function auditLog(lines: Iterable<string>): AuditReport {
  const audit = new LogAudit()
  for (const line of lines) audit.read(line)
  return audit.end()
}
