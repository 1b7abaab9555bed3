export { type RunOptions, runCommand } from './run-command.js'
export { type SuspendOptions, suspendCommand } from './suspend-command.js'
