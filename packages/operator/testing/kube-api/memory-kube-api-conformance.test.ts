import { systemClock } from '@kron/runtime'
import { applyDefaults, checkKronJob } from '../../src/kronjob/index.js'
import { type KubeObject, kronJobs, type Resource } from '../../src/kube/kube-object.js'
import { kubeApiConformance } from './conformance/kube-api-conformance.js'
import { MemoryKubeApi } from './memory-kube-api.js'

const isKronJob = ({ kind }: Resource): boolean => kind === kronJobs.kind

/** The suite knows nothing of virtual time, so this runs on the system's. */
kubeApiConformance('the server in memory', async () => {
  const api = new MemoryKubeApi({
    clock: systemClock(),
    garbageDelayMs: 1,
    defaults: (resource, object) => (isKronJob(resource) ? applyDefaults(object) : object),
    validate: (resource: Resource, object: KubeObject) =>
      isKronJob(resource)
        ? checkKronJob(object).find(({ isDoubtful }) => !isDoubtful)?.message
        : null,
  })
  return {
    api,
    namespace: 'default',
    collectsGarbage: true,
    compact: async () => api.compact(),
    cutWatches: async () => api.cutWatches(),
  }
})
