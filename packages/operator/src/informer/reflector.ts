import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import { hasStatus, type KubeApi, type KubeObject, type Resource } from '../kube/index.js'

export interface ReflectorOptions<T> {
  readonly api: Pick<KubeApi, 'list' | 'watch'>
  readonly clock: Clock
  readonly resource: Resource
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  /** What is kept of an object; null if nothing. */
  readonly project: (object: KubeObject) => T | null
  /** Must not throw, and should only take note: it is called for each of thousands of objects. */
  readonly onChange: (key: string, item: T | null, before: T | null) => void
  /** Everything was read again. */
  readonly onListed?: () => void
  readonly onFailure: (error: unknown, operation: 'list' | 'watch') => void
  /** How often everything is read again, in case a watch has lost something. */
  readonly resyncMs: number
}

interface Kept<T> {
  readonly resourceVersion: string
  readonly item: T | null
}

const pageSize = 500
const watchSeconds = 300
const backoff: Backoff = { firstMs: 200, maxMs: 30_000 }
/** A watch that ends sooner than that counts as failed. */
const shortestWatchMs = 1000

/**
 * Keeps a copy of all objects of a kind: reads them once, then follows their changes. After a loss
 * (410), and from time to time, everything is read again.
 *
 *   list ──▶ watch ──end, cut──▶ watch from the last version
 *    ▲         └──── 410, or time for a resync ────┐
 *    └──────────────────────────────────────────────┘
 */
export class Reflector<T> {
  readonly #options: ReflectorOptions<T>
  readonly #kept = new Map<string, Kept<T>>()
  /** The version of the copy; the watch will bring everything later. */
  #version = ''
  #listedAt = Number.NEGATIVE_INFINITY
  #markListed: () => void = () => undefined
  /** Resolves when everything was read for the first time. */
  readonly listed = new Promise<void>((resolve) => {
    this.#markListed = resolve
  })

  constructor(options: ReflectorOptions<T>) {
    this.#options = options
  }

  get size(): number {
    return this.#kept.size
  }

  item(key: string): T | null {
    return this.#kept.get(key)?.item ?? null
  }

  /**
   * Takes what an answer to our own write says, so that we know of it before the watch does.
   * A version that the watch has passed is known already, or gone again.
   */
  note(object: KubeObject): void {
    if (isLater(versionOf(object), this.#version)) this.#put(object)
  }

  async run(signal: AbortSignal): Promise<void> {
    let failures = 0
    let mustList = true
    while (!signal.aborted) {
      const operation = mustList ? 'list' : 'watch'
      const startedAt = this.#now()
      try {
        if (mustList) await this.#list(signal)
        else await this.#watch(signal)
        failures = !mustList && this.#now() - startedAt < shortestWatchMs ? failures + 1 : 0
        mustList = !mustList && this.#now() - this.#listedAt >= this.#options.resyncMs
      } catch (error) {
        if (signal.aborted) return
        this.#options.onFailure(error, operation)
        // The version is too old, or refused for a reason that we do not know: begin with a list.
        if (hasStatus(error, 410, 400, 404)) mustList = true
        failures++
      }
      if (failures > 0) await this.#pause(failures, signal)
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { api, resource, namespace, labelSelector } = this.#options
    const scope = scopeOf(namespace, labelSelector)
    const seen = new Set<string>()
    let version = ''
    let next: string | undefined
    do {
      const query = { ...scope, limit: pageSize, ...(next !== undefined && { continue: next }) }
      const page = await api.list(resource, query, signal)
      for (const object of page.items) seen.add(this.#put(object))
      // Those of later pages are of the first one's version, whatever they say.
      version ||= page.resourceVersion
      next = page.continue
    } while (next !== undefined && next !== '')
    for (const [key, kept] of this.#kept) {
      // What we created while we were listing is not in the list, but is there.
      if (!seen.has(key) && !isLater(kept.resourceVersion, version)) this.#drop(key, kept)
    }
    this.#version = version
    this.#listedAt = this.#now()
    this.#markListed()
    this.#options.onListed?.()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { api, resource, namespace, labelSelector } = this.#options
    const query = {
      ...scopeOf(namespace, labelSelector),
      resourceVersion: this.#version,
      timeoutSeconds: watchSeconds,
    }
    for await (const { type, object } of api.watch(resource, query, signal)) {
      if (type === 'DELETED') this.#dropDeleted(object)
      else if (type !== 'BOOKMARK') this.#put(object)
      this.#version = versionOf(object)
    }
  }

  #put(object: KubeObject): string {
    const key = keyOf(object)
    const before = this.#kept.get(key)
    const resourceVersion = versionOf(object)
    if (before !== undefined && !isLater(resourceVersion, before.resourceVersion)) return key
    const item = this.#options.project(object)
    this.#kept.set(key, { resourceVersion, item })
    this.#options.onChange(key, item, before?.item ?? null)
    return key
  }

  /** Unless we know of a later one of the same name, which we made ourselves. */
  #dropDeleted(object: KubeObject): void {
    const key = keyOf(object)
    const kept = this.#kept.get(key)
    if (kept === undefined || isLater(kept.resourceVersion, versionOf(object))) return
    this.#drop(key, kept)
  }

  #drop(key: string, { item }: Kept<T>): void {
    this.#kept.delete(key)
    this.#options.onChange(key, null, item)
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(backoffMs(backoff, failures), signal).catch(() => undefined)
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}

const versionOf = ({ metadata }: KubeObject): string => metadata.resourceVersion ?? ''

export const keyOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ''}/${metadata.name}`

function scopeOf(namespace: string | undefined, labelSelector: string | undefined) {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  }
}

/**
 * Whether version `a` is later than `b`. Versions are decimal numbers in all API servers there are;
 * one that is not is taken for later, so that it is never overlooked.
 */
export function isLater(a: string, b: string): boolean {
  if (a === b) return false
  if (!isNumber(a) || !isNumber(b)) return true
  return a.length === b.length ? a > b : a.length > b.length
}

const isNumber = (text: string): boolean => /^[1-9]\d*$/.test(text)
