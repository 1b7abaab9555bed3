export { auditCommand } from './audit-command.js'
export {
  type AuditReport,
  type AuditRule,
  auditRules,
  maxViolations,
  type Violation,
} from './audit-report.js'
export { auditLog, LogAudit } from './log-audit.js'
export type { OpenLog } from './log-files.js'
