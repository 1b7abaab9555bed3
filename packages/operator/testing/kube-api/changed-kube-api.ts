import type { KubeApi } from '../../src/kube/kube-api.js'

/** The same API, but for the calls that are given. */
export const changedKubeApi = (api: KubeApi, change: Partial<KubeApi>): KubeApi => ({
  list: (...asked) => api.list(...asked),
  watch: (...asked) => api.watch(...asked),
  get: (...asked) => api.get(...asked),
  create: (...asked) => api.create(...asked),
  tryCreate: (...asked) => api.tryCreate(...asked),
  replace: (...asked) => api.replace(...asked),
  patch: (...asked) => api.patch(...asked),
  delete: (...asked) => api.delete(...asked),
  ...change,
})
