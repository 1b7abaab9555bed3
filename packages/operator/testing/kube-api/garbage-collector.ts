import type { KubeObject, Resource } from '../../src/kube/kube-object.js'
import { foregroundFinalizer, type ObjectRegistry } from './object-registry.js'
import { type Change, nameOf, type ObjectStore } from './object-store.js'

interface Node {
  readonly resource: Resource
  readonly object: KubeObject
}

/**
 * Deletes what has lost its owners, and lets owners go that wait for what they own. It notes what
 * each change may have orphaned or released, so that a collection costs as much as has changed.
 */
export class GarbageCollector {
  readonly #store: ObjectStore
  readonly #registry: ObjectRegistry
  readonly #dependents = new Map<string, Set<string>>()
  #suspects = new Set<string>()

  constructor(store: ObjectStore, registry: ObjectRegistry) {
    this.#store = store
    this.#registry = registry
    store.onChange((change) => this.#note(change))
  }

  get hasWork(): boolean {
    return this.#suspects.size > 0
  }

  /** Until nothing is left to do without time passing. */
  collect(): void {
    while (this.#suspects.size > 0) {
      const suspects = this.#suspects
      this.#suspects = new Set()
      for (const uid of suspects) {
        const node = this.#store.findByUid(uid)
        if (node !== undefined) this.#examine(node)
      }
    }
  }

  #note({ type, object, previous }: Change): void {
    const uid = object.metadata.uid!
    const isGone = type === 'DELETED'
    const owners = ownersOf(object)
    for (const owner of ownersOf(previous)) {
      if (!isGone && owners.includes(owner)) continue
      this.#dependents.get(owner)?.delete(uid)
      this.#suspects.add(owner)
    }
    if (isGone || object.metadata.deletionTimestamp !== undefined) {
      for (const dependent of this.#dependents.get(uid) ?? []) this.#suspects.add(dependent)
    }
    if (isGone) {
      if (this.#dependents.get(uid)?.size === 0) this.#dependents.delete(uid)
      return
    }
    for (const owner of owners) {
      const known = this.#dependents.get(owner) ?? new Set()
      this.#dependents.set(owner, known.add(uid))
      if (isBlocking(object, owner) !== isBlocking(previous, owner)) this.#suspects.add(owner)
    }
    if (owners.length > 0 || isWaiting(object)) this.#suspects.add(uid)
  }

  #examine(node: Node): void {
    const { resource, object } = node
    if (isWaiting(object) && this.#dependentsOf(object, true).length === 0) {
      const finalizers = object.metadata.finalizers!.filter((one) => one !== foregroundFinalizer)
      this.#registry.patch(resource, nameOf(object), { metadata: { finalizers } })
      return
    }
    if (object.metadata.deletionTimestamp === undefined) this.#examineOwners(node)
  }

  #examineOwners({ resource, object }: Node): void {
    const references = object.metadata.ownerReferences ?? []
    if (references.length === 0) return
    const owners = references.map((reference) => ({
      reference,
      owner: this.#ownerOf(object, reference.uid),
    }))
    const solid = owners.filter(({ owner }) => owner !== undefined && !isWaiting(owner))
    if (solid.length === owners.length) return
    if (solid.length > 0) {
      const ownerReferences = solid.map(({ reference }) => reference)
      this.#registry.patch(resource, nameOf(object), { metadata: { ownerReferences } })
      return
    }
    const isAwaited = owners.some(({ owner }) => owner !== undefined)
    const hasDependents = this.#dependentsOf(object, false).length > 0
    const propagation = isAwaited && hasDependents ? 'Foreground' : 'Background'
    this.#registry.delete(resource, nameOf(object), { propagation, uid: object.metadata.uid! })
  }

  /** An owner in another namespace counts as absent. */
  #ownerOf(object: KubeObject, uid: string): KubeObject | undefined {
    const owner = this.#store.findByUid(uid)?.object
    return owner?.metadata.namespace === object.metadata.namespace ? owner : undefined
  }

  #dependentsOf({ metadata: { uid } }: KubeObject, areBlocking: boolean): readonly KubeObject[] {
    return [...(this.#dependents.get(uid!) ?? [])]
      .map((dependent) => this.#store.findByUid(dependent)?.object)
      .filter((object) => object !== undefined)
      .filter((object) => !areBlocking || isBlocking(object, uid!))
  }
}

const isWaiting = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined &&
  metadata.finalizers?.includes(foregroundFinalizer) === true

const ownersOf = (object: KubeObject | undefined): readonly string[] =>
  object?.metadata.ownerReferences?.map(({ uid }) => uid) ?? []

const isBlocking = (object: KubeObject | undefined, owner: string): boolean =>
  object?.metadata.ownerReferences?.some(
    ({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true,
  ) === true
