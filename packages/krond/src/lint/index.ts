export { type LintInput, type LintResult, lint, scheduleFile } from './lint.js'
export { lintCommand } from './lint-command.js'
