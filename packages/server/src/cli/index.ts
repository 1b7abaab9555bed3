export { type ExitCode, exitCodes } from '@kron/command'
export type { Host } from '../process/host.js'
export { processHost } from '../process/process-host.js'
export { createProgram, runKron } from './program.js'
