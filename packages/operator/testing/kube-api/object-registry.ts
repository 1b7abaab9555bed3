import type { Clock } from '@kron/runtime'
import type { DeleteOptions, ObjectName, PatchOptions } from '../../src/kube/kube-api.js'
import { events, type KubeObject, leases, type Resource } from '../../src/kube/kube-object.js'
import { Admission, type AdmissionHooks, raiseGeneration, wholeSeconds } from './admission.js'
import { isSameJson } from './json.js'
import { nameOf, type ObjectStore, tableKey } from './object-store.js'
import {
  alreadyExists,
  badRequest,
  conflict,
  namespaceTerminating,
  notFound,
  otherUid,
} from './refusals.js'

export const foregroundFinalizer = 'foregroundDeletion'

const createdByPut = new Set([leases, events].map(tableKey))

/**
 * The writes of an API server, each at once: what the rules make of a request goes to the store.
 * Also for those who play the rest of the cluster, so that their writes count as nobody's calls.
 */
export class ObjectRegistry {
  readonly #store: ObjectStore
  readonly #clock: Clock
  readonly #admission: Admission
  readonly #terminating = new Set<string>()

  constructor(store: ObjectStore, clock: Clock, hooks: AdmissionHooks) {
    this.#store = store
    this.#clock = clock
    this.#admission = new Admission(clock, hooks)
  }

  find(resource: Resource, name: ObjectName): KubeObject | undefined {
    return this.#store.find(resource, name)
  }

  /** All of them now, in the order of namespaces and names. */
  all(resource: Resource, namespace?: string): readonly KubeObject[] {
    const objects = this.#store.objectsAt(resource, this.#store.version)
    return objects
      .map(([, object]) => object)
      .filter((object) => namespace === undefined || object.metadata.namespace === namespace)
  }

  get(resource: Resource, name: ObjectName): KubeObject {
    const found = this.#store.find(resource, name)
    if (found === undefined) throw notFound(resource, name.name)
    return found
  }

  create(resource: Resource, asked: KubeObject): KubeObject {
    return this.#store.put(resource, this.#admitted(resource, asked))
  }

  /** Throws if it can't be created; nothing is stored. */
  tryCreate(resource: Resource, asked: KubeObject): void {
    this.#admitted(resource, asked)
  }

  #admitted(resource: Resource, asked: KubeObject): KubeObject {
    const { namespace } = asked.metadata
    if (!namespace) throw badRequest('an object needs the namespace that it goes to')
    if (this.#terminating.has(namespace)) {
      throw namespaceTerminating(resource, asked.metadata.name, namespace)
    }
    const object = this.#admission.created(resource, asked)
    if (this.#store.find(resource, nameOf(object)) !== undefined) {
      throw alreadyExists(resource, object.metadata.name)
    }
    return object
  }

  replace(resource: Resource, asked: KubeObject): KubeObject {
    const current = this.find(resource, nameOf(asked))
    if (current === undefined) return this.#createInstead(resource, asked)
    return this.#write(resource, current, this.#admission.replaced(resource, current, asked))
  }

  patch(
    resource: Resource,
    name: ObjectName,
    patch: object,
    options: PatchOptions = {},
  ): KubeObject {
    const current = this.get(resource, name)
    const updated = this.#admission.patched(resource, current, patch, options)
    return this.#write(resource, current, updated)
  }

  delete(resource: Resource, name: ObjectName, { propagation, uid }: DeleteOptions): void {
    const current = this.get(resource, name)
    if (uid !== undefined && uid !== current.metadata.uid) {
      throw conflict(resource, name.name, otherUid(uid))
    }
    const others = (current.metadata.finalizers ?? []).filter((one) => one !== foregroundFinalizer)
    const finalizers = propagation === 'Foreground' ? [...others, foregroundFinalizer] : others
    if (finalizers.length === 0) {
      this.#store.remove(resource, current)
      return
    }
    const marked =
      current.metadata.deletionTimestamp === undefined ? this.#marked(current) : current
    this.#write(resource, current, { ...marked, metadata: { ...marked.metadata, finalizers } })
  }

  /** From now on nothing can be created in it. */
  terminateNamespace(namespace: string): void {
    this.#terminating.add(namespace)
  }

  /** Some kinds can be created by a PUT, unless it means an object that was there before. */
  #createInstead(resource: Resource, asked: KubeObject): KubeObject {
    const { name, uid, resourceVersion: _, ...metadata } = asked.metadata
    if (!createdByPut.has(tableKey(resource))) throw notFound(resource, name)
    if (uid) throw conflict(resource, name, otherUid(uid))
    return this.create(resource, { ...asked, metadata: { ...metadata, name } })
  }

  #marked(object: KubeObject): KubeObject {
    const deletionTimestamp = wholeSeconds(this.#clock.now())
    const metadata = { ...object.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 }
    return raiseGeneration({ ...object, metadata })
  }

  /** A write that changes nothing is none: no new version, no event. */
  #write(resource: Resource, current: KubeObject, updated: KubeObject): KubeObject {
    if (isSameJson(current, updated)) return current
    const { deletionTimestamp, finalizers = [] } = updated.metadata
    if (deletionTimestamp === undefined || finalizers.length > 0) {
      return this.#store.put(resource, updated)
    }
    this.#store.remove(resource, current)
    return updated
  }
}
