export type { AdmissionHooks } from './admission.js'
export {
  everyFaultKind,
  type Fault,
  type FaultKind,
  type FaultPlan,
  type FaultSource,
  plannedFaults,
} from './fault-plan.js'
export { FaultyKubeApi } from './faulty-kube-api.js'
export { type JobFate, type JobRun, JobWorld, type JobWorldOptions, pods } from './job-world.js'
export { MemoryKubeApi, type MemoryKubeApiOptions } from './memory-kube-api.js'
export { MortalKubeApi } from './mortal-kube-api.js'
export type { ObjectRegistry } from './object-registry.js'
export type { Change } from './object-store.js'
export {
  type ApiCall,
  type ApiPassage,
  changedKubeApi,
  passingKubeApi,
} from './passing-kube-api.js'
