import type { Clock } from '@kron/runtime'
import type { WatchEvent, WatchQuery } from '../../src/kube/kube-api.js'
import { apiVersionOf, type KubeObject, type Resource } from '../../src/kube/kube-object.js'
import { EventQueue } from './event-queue.js'
import { frozenCopy } from './json.js'
import { selection } from './label-selector.js'
import { type Change, type ObjectStore, tableKey } from './object-store.js'
import { expired, internalError } from './refusals.js'

interface Watch {
  readonly resource: Resource
  readonly queue: EventQueue<WatchEvent>
  readonly eventOf: (change: Change) => WatchEvent | null
}

export interface WatchHubOptions {
  readonly delayMs: number
  /** A bookmark for each watch after so many changes of anything. */
  readonly bookmarkEvery: number
}

/** All open watches. They see changes in order, but maybe later than a list does. */
export class WatchHub {
  delayMs: number
  readonly #store: ObjectStore
  readonly #clock: Clock
  readonly #bookmarkEvery: number
  readonly #watches = new Set<Watch>()
  /** Changes that no watch has seen yet, and whether their delay is over. */
  readonly #unseen: { readonly change: Change; isDue: boolean }[] = []
  #seenVersion: number
  #isHeld = false

  constructor(store: ObjectStore, clock: Clock, { delayMs, bookmarkEvery }: WatchHubOptions) {
    this.#store = store
    this.#clock = clock
    this.delayMs = delayMs
    this.#bookmarkEvery = bookmarkEvery
    this.#seenVersion = store.version
    store.onChange((change) => this.#take(change))
  }

  get openWatches(): number {
    return this.#watches.size
  }

  /** Nothing reaches a watch until `release`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#publish()
  }

  /** All watches end, as if the server or the network had ended them. */
  cut(): void {
    for (const { queue } of this.#watches) queue.end()
  }

  bookmark(): void {
    for (const { resource, queue } of this.#watches) queue.push(this.#bookmarkOf(resource))
  }

  async *open(
    resource: Resource,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    signal.throwIfAborted()
    const watch: Watch = { resource, queue: new EventQueue(), eventOf: eventsFor(resource, query) }
    this.#replay(watch, query.resourceVersion)
    const ended = new AbortController()
    // At once, not when the watcher asks again: one that is dead never does.
    const close = (): void => {
      this.#watches.delete(watch)
      signal.removeEventListener('abort', abort)
      ended.abort()
    }
    const abort = (): void => {
      watch.queue.fail(signal.reason)
      close()
    }
    signal.addEventListener('abort', abort)
    this.#watches.add(watch)
    void this.#clock.sleep(query.timeoutSeconds * 1000, ended.signal).then(
      () => watch.queue.end(),
      () => undefined,
    )
    try {
      yield* watch.queue.drain()
    } finally {
      close()
    }
  }

  #replay({ resource, queue, eventOf }: Watch, resourceVersion: string): void {
    // Without a version a watch begins with what there is now.
    if (resourceVersion === '' || resourceVersion === '0') {
      for (const [, object] of this.#store.objectsAt(resource, this.#seenVersion)) {
        const version = this.#seenVersion
        const event = eventOf({ version, type: 'ADDED', resource, object, previous: undefined })
        if (event !== null) queue.push(event)
      }
      return
    }
    if (!/^\d+$/.test(resourceVersion)) {
      throw internalError(`resourceVersion: Invalid value: "${resourceVersion}"`)
    }
    const version = Number(resourceVersion)
    if (version < this.#store.compactedVersion) {
      const oldest = this.#store.compactedVersion
      throw expired(`too old resource version: ${resourceVersion} (${oldest})`)
    }
    for (const change of this.#store.changesSince(version)) {
      if (change.version > this.#seenVersion) break
      const event = eventOf(change)
      if (event !== null) queue.push(event)
    }
  }

  #take(change: Change): void {
    const unseen = { change, isDue: this.delayMs <= 0 }
    this.#unseen.push(unseen)
    if (unseen.isDue) {
      this.#publish()
      return
    }
    void this.#clock.sleep(this.delayMs).then(() => {
      unseen.isDue = true
      this.#publish()
    })
  }

  #publish(): void {
    while (!this.#isHeld && this.#unseen[0]?.isDue === true) {
      const { change } = this.#unseen.shift()!
      this.#seenVersion = change.version
      for (const { queue, eventOf } of this.#watches) {
        const event = eventOf(change)
        if (event !== null) queue.push(event)
      }
      if (change.version % this.#bookmarkEvery === 0) this.bookmark()
    }
  }

  #bookmarkOf(resource: Resource): WatchEvent {
    const metadata = { name: '', resourceVersion: String(this.#seenVersion) }
    const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata }
    return frozenCopy({ type: 'BOOKMARK' as const, object })
  }
}

/**
 * What a change is for a watch that sees only a selection: an object that begins to match is
 * added, one that no longer does is deleted, and then shown as it was when it still did.
 */
function eventsFor(resource: Resource, query: WatchQuery): Watch['eventOf'] {
  const isSelected = selection(query)
  const key = tableKey(resource)
  return ({ type, object, previous, resource: changed }) => {
    if (tableKey(changed) !== key) return null
    const was = previous !== undefined && isSelected(previous)
    const is = type !== 'DELETED' && isSelected(object)
    if (is) return { type: was ? 'MODIFIED' : 'ADDED', object }
    return was ? { type: 'DELETED', object: lastSeen(previous, object) } : null
  }
}

function lastSeen(previous: KubeObject, object: KubeObject): KubeObject {
  const { resourceVersion } = object.metadata
  return frozenCopy({
    ...previous,
    metadata: { ...previous.metadata, resourceVersion },
  }) as KubeObject
}
