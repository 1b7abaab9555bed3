export { type LintInput, type LintResult, lint, scheduleFile } from './lint.js'
export { type LintOptions, lintCommand } from './lint-command.js'
