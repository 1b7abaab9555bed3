import type { Clock } from '@kron/runtime'
import type {
  DeleteOptions,
  KubeApi,
  ListQuery,
  ObjectList,
  ObjectName,
  PatchOptions,
  WatchEvent,
  WatchQuery,
} from '../../src/kube/kube-api.js'
import type { KubeObject, Resource } from '../../src/kube/kube-object.js'
import type { AdmissionHooks } from './admission.js'
import { GarbageCollector } from './garbage-collector.js'
import { listPage } from './list-page.js'
import { ObjectRegistry } from './object-registry.js'
import { type Change, ObjectStore } from './object-store.js'
import { WatchHub } from './watch-hub.js'

export interface MemoryKubeApiOptions extends AdmissionHooks {
  /** For timestamps, delays and the ends of watches. */
  readonly clock: Clock
  /** How long after a write the watches see it (default 0: soon). */
  readonly watchDelayMs?: number
  /** A bookmark for each watch after so many writes of anything (default: none). */
  readonly bookmarkEvery?: number
  /** How long after a write garbage is collected (default: only when a test says so). */
  readonly garbageDelayMs?: number
  /** How many writes are remembered at least, for watches and pages (default 100,000). */
  readonly historyLimit?: number
}

/**
 * Not zero, so that very old versions have expired; and soon there is one digit more, which shows
 * who compares versions as text.
 */
const firstVersion = 95

/**
 * An API server that exists only in memory, with the rules of a real one: one version for all
 * writes, a status subresource and generations for KronJobs and Jobs, finalizers, a garbage
 * collector. Takes effect when it is called and answers soon. Objects that it hands out are frozen.
 */
export class MemoryKubeApi implements KubeApi {
  /** The same objects without requests: to look, and for what others do in the cluster. */
  readonly objects: ObjectRegistry
  readonly #clock: Clock
  readonly #store: ObjectStore
  readonly #garbage: GarbageCollector
  readonly #watches: WatchHub
  readonly #garbageDelayMs: number | undefined
  #isCollectionPlanned = false

  constructor(options: MemoryKubeApiOptions) {
    const { clock, watchDelayMs = 0, garbageDelayMs, historyLimit = 100_000 } = options
    const { bookmarkEvery = Number.POSITIVE_INFINITY } = options
    this.#clock = clock
    this.#store = new ObjectStore({ firstVersion, historyLimit })
    this.objects = new ObjectRegistry(this.#store, clock, options)
    this.#garbage = new GarbageCollector(this.#store, this.objects)
    this.#watches = new WatchHub(this.#store, clock, { delayMs: watchDelayMs, bookmarkEvery })
    this.#garbageDelayMs = garbageDelayMs
    this.#store.onChange(() => this.#planCollection())
  }

  async list(resource: Resource, query: ListQuery, signal?: AbortSignal): Promise<ObjectList> {
    signal?.throwIfAborted()
    return listPage(this.#store, resource, query)
  }

  watch(resource: Resource, query: WatchQuery, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#watches.open(resource, query, signal)
  }

  async get(resource: Resource, name: ObjectName, signal?: AbortSignal): Promise<KubeObject> {
    signal?.throwIfAborted()
    return this.objects.get(resource, name)
  }

  async create(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject> {
    signal?.throwIfAborted()
    return this.objects.create(resource, object)
  }

  async tryCreate(
    resource: Resource,
    object: KubeObject,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    signal?.throwIfAborted()
    this.objects.tryCreate(resource, object)
    return []
  }

  async replace(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject> {
    signal?.throwIfAborted()
    return this.objects.replace(resource, object)
  }

  async patch(
    resource: Resource,
    name: ObjectName,
    patch: object,
    options?: PatchOptions,
    signal?: AbortSignal,
  ): Promise<KubeObject> {
    signal?.throwIfAborted()
    return this.objects.patch(resource, name, patch, options)
  }

  async delete(
    resource: Resource,
    name: ObjectName,
    options: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted()
    this.objects.delete(resource, name, options)
  }

  /** The version of the last write. */
  get version(): string {
    return String(this.#store.version)
  }

  get openWatches(): number {
    return this.#watches.openWatches
  }

  /** For each write, at once; the listener must not write itself. Returns how to stop. */
  onChange(listener: (change: Change) => void): () => void {
    return this.#store.onChange(listener)
  }

  /** Forgets all history: older versions and pages have expired. Open watches go on. */
  compact(): void {
    this.#store.compact(this.#store.version)
  }

  cutWatches(): void {
    this.#watches.cut()
  }

  /** Watches see nothing until `releaseWatches`, so that caches are stale for a while. */
  holdWatches(): void {
    this.#watches.hold()
  }

  releaseWatches(): void {
    this.#watches.release()
  }

  setWatchDelayMs(ms: number): void {
    this.#watches.delayMs = ms
  }

  /** Each open watch gets a bookmark. */
  bookmark(): void {
    this.#watches.bookmark()
  }

  collectGarbage(): void {
    this.#garbage.collect()
  }

  terminateNamespace(namespace: string): void {
    this.objects.terminateNamespace(namespace)
  }

  #planCollection(): void {
    const delayMs = this.#garbageDelayMs
    if (delayMs === undefined || this.#isCollectionPlanned || !this.#garbage.hasWork) return
    this.#isCollectionPlanned = true
    void this.#clock.sleep(delayMs).then(() => {
      this.#garbage.collect()
      this.#isCollectionPlanned = false
    })
  }
}
