export type { Cluster, ClusterChoice, KronctlHost } from './host.js'
export { processHost } from './process-host.js'
export { KronctlProgram, runKronctl } from './program.js'
export type { ProgramName } from './program-name.js'
