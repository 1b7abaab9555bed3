export { ApiFailure, type ApiFailureDetails, hasStatus } from './api-failure.js'
export type {
  DeleteOptions,
  GuardableKubeApi,
  KubeApi,
  ListQuery,
  ObjectList,
  ObjectName,
  PatchOptions,
  WatchEvent,
  WatchQuery,
} from './kube-api.js'
export type { KubeObject, ObjectMeta, OwnerReference } from './kube-object.js'
export { apiVersionOf, events, jobs, kronJobs, leases, type Resource } from './kube-object.js'
