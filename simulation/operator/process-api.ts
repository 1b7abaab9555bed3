import { jobs, type KubeApi, type WatchEvent } from '../../packages/operator/src/kube/index.js'
import type { Chronicle, SentRequest } from './chronicle.js'
import type { Life } from './life.js'

type Described = Pick<SentRequest, 'verb' | 'plural' | 'name'>

/**
 * The API as one life of an operator has it. Each request is written down when it is sent; the
 * life may end or freeze before it takes effect, and before its answer is seen.
 */
export function processApi(
  api: KubeApi,
  life: Life,
  chronicle: Chronicle,
  send: (what: Described) => SentRequest,
  senders: WeakMap<object, SentRequest>,
): KubeApi {
  const pass = <T>(what: Described, key: object, effect: () => Promise<T>): Promise<T> => {
    if (!life.isDead) senders.set(key, send(what))
    return life.act(effect)
  }
  return {
    list: async (resource, query, signal) => {
      const startedAt = chronicle.now
      const what = { verb: 'list', plural: resource.plural, name: '' } as const
      const list = await pass(what, query, () => api.list(resource, query, signal))
      if (resource === jobs && query.continue === undefined) noteList(chronicle, life, startedAt)
      return list
    },
    watch: (resource, query, signal) => {
      send({ verb: 'watch', plural: resource.plural, name: '' })
      return mortalWatch(life, (alive) => api.watch(resource, query, alive), signal)
    },
    get: (resource, name, signal) =>
      pass({ verb: 'get', plural: resource.plural, name: name.name }, name, () =>
        api.get(resource, name, signal),
      ),
    create: (resource, object, signal) =>
      pass({ verb: 'create', plural: resource.plural, name: object.metadata.name }, object, () =>
        api.create(resource, object, signal),
      ),
    tryCreate: (resource, object, signal) =>
      pass({ verb: 'tryCreate', plural: resource.plural, name: object.metadata.name }, object, () =>
        api.tryCreate(resource, object, signal),
      ),
    replace: (resource, object, signal) =>
      pass({ verb: 'replace', plural: resource.plural, name: object.metadata.name }, object, () =>
        api.replace(resource, object, signal),
      ),
    patch: (resource, name, patch, options, signal) =>
      pass({ verb: 'patch', plural: resource.plural, name: name.name }, patch, () =>
        api.patch(resource, name, patch, options, signal),
      ),
    delete: (resource, name, options, signal) =>
      pass({ verb: 'delete', plural: resource.plural, name: name.name }, name, () =>
        api.delete(resource, name, options, signal),
      ),
  }
}

function noteList(chronicle: Chronicle, life: Life, at: number): void {
  const lists = chronicle.jobLists.get(life.name) ?? []
  chronicle.jobLists.set(life.name, [...lists, at])
}

async function* mortalWatch(
  life: Life,
  open: (signal: AbortSignal) => AsyncIterable<WatchEvent>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  // So that the server does not keep a watch for the dead.
  const whileAlive = AbortSignal.any([signal, life.death])
  try {
    for await (const event of open(whileAlive)) {
      await life.awake()
      yield event
    }
  } catch (error) {
    if (!life.isDead) throw error
  }
  await life.awake()
}

/** Next to the server: says whose request takes effect, also if that is long after it was sent. */
export function attributed(
  api: KubeApi,
  chronicle: Chronicle,
  senders: WeakMap<object, SentRequest>,
): KubeApi {
  const as = <T>(key: object, effect: () => Promise<T>): Promise<T> => {
    chronicle.actor = senders.get(key) ?? null
    try {
      // Takes effect before it returns.
      return effect()
    } finally {
      chronicle.actor = null
    }
  }
  return {
    list: (...asked) => api.list(...asked),
    watch: (...asked) => api.watch(...asked),
    get: (...asked) => api.get(...asked),
    create: (resource, object, signal) => as(object, () => api.create(resource, object, signal)),
    tryCreate: (...asked) => api.tryCreate(...asked),
    replace: (resource, object, signal) => as(object, () => api.replace(resource, object, signal)),
    patch: (resource, name, patch, ...more) =>
      as(patch, () => api.patch(resource, name, patch, ...more)),
    delete: (resource, name, ...more) => as(name, () => api.delete(resource, name, ...more)),
  }
}
