export { readObjects, unknownName } from './read-objects.js'
export {
  type NamedKronJob,
  refuseSelector,
  type Selection,
  selectKronJobs,
  shownFile,
} from './select-kron-jobs.js'
export type { ClusterOptions, SourceOptions } from './source-options.js'
export { orFilesInstead, refuseFilesAsNames } from './source-options.js'
export { withCluster } from './with-cluster.js'
