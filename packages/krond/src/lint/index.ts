export type { Finding } from './finding.js'
export { type LintInput, type LintResult, lint, scheduleFile } from './lint.js'
export { lintCommand } from './lint-command.js'
export { type WarningCode, warningCodes } from './warning-codes.js'
