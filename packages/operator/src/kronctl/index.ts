export type { Cluster, ClusterChoice, KronctlHost } from './host.js'
export type { ProgramName } from './invocation.js'
export { processHost } from './process-host.js'
export { KronctlProgram, runKronctl } from './program.js'
