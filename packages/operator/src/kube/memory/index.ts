export type { AdmissionHooks } from './admission.js'
export { MemoryKubeApi, type MemoryKubeApiOptions } from './memory-kube-api.js'
export type { ObjectRegistry } from './object-registry.js'
export type { Change } from './object-store.js'
