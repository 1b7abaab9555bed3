export { type Cluster, type ClusterChoice, type KronctlHost, processHost } from './host.js'
export type { ProgramName } from './invocation.js'
export { KronctlProgram, runKronctl } from './program.js'
