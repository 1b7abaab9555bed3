import type { ObjectName } from '../../src/kube/kube-api.js'
import type { KubeObject, Resource } from '../../src/kube/kube-object.js'
import { frozenCopy } from './json.js'

/** One write, as history has it. */
export interface Change {
  readonly version: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: Resource
  /** As it is now; when it was deleted, its last state with the version of the deletion. */
  readonly object: KubeObject
  readonly previous: KubeObject | undefined
}

export interface ObjectStoreOptions {
  /** The first write has the version after it. */
  readonly firstVersion: number
  /** How many changes are kept at least before the oldest are compacted. */
  readonly historyLimit: number
}

interface Table {
  readonly resource: Resource
  readonly objects: Map<string, KubeObject>
}

/**
 * What etcd is for an API server: objects by their keys, one version that rises with each write,
 * and the history since the last compaction. Knows nothing of the rules of Kubernetes.
 */
export class ObjectStore {
  readonly #tables = new Map<string, Table>()
  readonly #byUid = new Map<string, { readonly resource: Resource; readonly key: string }>()
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #historyLimit: number
  /** Versions have no gaps: the n-th one here has the compacted version plus n. */
  #history: Change[] = []
  #version: number
  #compacted: number

  constructor({ firstVersion, historyLimit }: ObjectStoreOptions) {
    this.#version = firstVersion
    this.#compacted = firstVersion
    this.#historyLimit = historyLimit
  }

  get version(): number {
    return this.#version
  }

  /** Nothing is known of what was before it. */
  get compactedVersion(): number {
    return this.#compacted
  }

  /** Called at once after each write; must not write itself. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  find(resource: Resource, name: ObjectName): KubeObject | undefined {
    return this.#table(resource).objects.get(keyOf(name))
  }

  findByUid(uid: string): { resource: Resource; object: KubeObject } | undefined {
    const place = this.#byUid.get(uid)
    if (place === undefined) return undefined
    return { ...place, object: this.#table(place.resource).objects.get(place.key)! }
  }

  put(resource: Resource, written: KubeObject): KubeObject {
    const { objects } = this.#table(resource)
    const key = keyOfObject(written)
    const previous = objects.get(key)
    const object = this.#nextVersionOf(written)
    objects.set(key, object)
    this.#byUid.set(object.metadata.uid!, { resource, key })
    this.#record(previous === undefined ? 'ADDED' : 'MODIFIED', resource, object, previous)
    return object
  }

  remove(resource: Resource, removed: KubeObject): void {
    const { objects } = this.#table(resource)
    const key = keyOfObject(removed)
    const previous = objects.get(key)
    if (previous === undefined) return
    objects.delete(key)
    this.#byUid.delete(previous.metadata.uid!)
    this.#record('DELETED', resource, this.#nextVersionOf(previous), previous)
  }

  /** In the order of their keys, as they were at a version that is not compacted. */
  objectsAt(resource: Resource, version: number): readonly (readonly [string, KubeObject])[] {
    const objects = new Map(this.#table(resource).objects)
    for (const change of this.changesSince(version).toReversed()) {
      if (tableKey(change.resource) !== tableKey(resource)) continue
      const key = keyOfObject(change.object)
      if (change.previous === undefined) objects.delete(key)
      else objects.set(key, change.previous)
    }
    return [...objects].sort(([left], [right]) => (left < right ? -1 : 1))
  }

  changesSince(version: number): readonly Change[] {
    return this.#history.slice(Math.max(0, version - this.#compacted))
  }

  compact(version: number): void {
    if (version <= this.#compacted) return
    this.#history.splice(0, version - this.#compacted)
    this.#compacted = version
  }

  #nextVersionOf(object: KubeObject): KubeObject {
    const resourceVersion = String(++this.#version)
    return frozenCopy({ ...object, metadata: { ...object.metadata, resourceVersion } })
  }

  #record(
    type: Change['type'],
    resource: Resource,
    object: KubeObject,
    previous: KubeObject | undefined,
  ): void {
    const change: Change = { version: this.#version, type, resource, object, previous }
    this.#history.push(change)
    // Half of it at once, since cutting the front of an array costs as much as what remains.
    if (this.#history.length > this.#historyLimit * 2) {
      this.compact(this.#version - this.#historyLimit)
    }
    for (const listener of this.#listeners) listener(change)
  }

  #table(resource: Resource): Table {
    const key = tableKey(resource)
    let table = this.#tables.get(key)
    if (table === undefined) {
      table = { resource, objects: new Map() }
      this.#tables.set(key, table)
    }
    return table
  }
}

export const keyOf = ({ namespace, name }: ObjectName): string => `${namespace}/${name}`

export const nameOf = ({ metadata }: KubeObject): ObjectName => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})

export const keyOfObject = (object: KubeObject): string => keyOf(nameOf(object))

export const tableKey = ({ group, plural }: Resource): string => `${group}/${plural}`
