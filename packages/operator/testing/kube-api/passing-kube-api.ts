import type { KubeApi, WatchEvent } from '../../src/kube/kube-api.js'
import type { Resource } from '../../src/kube/kube-object.js'

/** One request, as logs of calls have it. */
export interface ApiCall {
  /** The first is 1. */
  readonly number: number
  readonly verb: keyof KubeApi
  readonly resource: Resource
  /** Empty for all namespaces. */
  readonly namespace: string
  /** Empty for a list or a watch. */
  readonly name: string
  readonly subresource?: 'status'
}

/** Where each call comes through: to watch it, hold it up or prevent it. */
export interface ApiPassage {
  act<T>(
    call: ApiCall,
    effect: (signal: AbortSignal | undefined) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>
  follow(
    call: ApiCall,
    open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>
}

/** The same API, with each call numbered and through a passage. */
export function passingKubeApi(api: KubeApi, passage: ApiPassage): KubeApi {
  let calls = 0
  const call = (
    verb: keyof KubeApi,
    resource: Resource,
    { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string },
    more: { readonly subresource?: 'status' } = {},
  ): ApiCall => ({ number: ++calls, verb, resource, namespace, name, ...more })
  return {
    list: (resource, query, signal) => {
      const { namespace = '' } = query
      const list = call('list', resource, { namespace })
      return passage.act(list, (passed) => api.list(resource, query, passed), signal)
    },
    watch: (resource, query, signal) => {
      const { namespace = '' } = query
      const watch = call('watch', resource, { namespace })
      return passage.follow(watch, (passed) => api.watch(resource, query, passed), signal)
    },
    get: (resource, name, signal) =>
      passage.act(call('get', resource, name), (passed) => api.get(resource, name, passed), signal),
    create: (resource, object, signal) =>
      passage.act(
        call('create', resource, object.metadata),
        (passed) => api.create(resource, object, passed),
        signal,
      ),
    tryCreate: (resource, object, signal) =>
      passage.act(
        call('tryCreate', resource, object.metadata),
        (passed) => api.tryCreate(resource, object, passed),
        signal,
      ),
    replace: (resource, object, signal) =>
      passage.act(
        call('replace', resource, object.metadata),
        (passed) => api.replace(resource, object, passed),
        signal,
      ),
    patch: (resource, name, patch, options, signal) =>
      passage.act(
        call('patch', resource, name, options),
        (passed) => api.patch(resource, name, patch, options, passed),
        signal,
      ),
    delete: (resource, name, options, signal) =>
      passage.act(
        call('delete', resource, name),
        (passed) => api.delete(resource, name, options, passed),
        signal,
      ),
  }
}

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
