import type { Clock } from '@kron/runtime'
import type { PatchOptions } from '../../src/kube/kube-api.js'
import {
  apiVersionOf,
  jobs,
  type KubeObject,
  kronJobs,
  type ObjectMeta,
  type Resource,
} from '../../src/kube/kube-object.js'
import { isSameJson, mergePatch } from './json.js'
import { nameOf, tableKey } from './object-store.js'
import {
  badRequest,
  conflict,
  internalError,
  invalid,
  notFound,
  otherUid,
  staleVersion,
} from './refusals.js'

/** What a schema would do. */
export interface AdmissionHooks {
  /** The object with what the schema fills in. */
  readonly defaults?: (resource: Resource, object: KubeObject) => KubeObject
  /** What is wrong with it, if anything: then the write is refused with 422. */
  readonly validate?: (
    resource: Resource,
    object: KubeObject,
    previous?: KubeObject,
  ) => string | null | undefined
}

type Meta = Record<string, unknown> & Pick<ObjectMeta, 'name'>

const withStatus = new Set([kronJobs, jobs].map(tableKey))
const absentWhenEmpty = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const longestName = 253

/** What a server makes of an object before it stores it: the rules, without the storage. */
export class Admission {
  readonly #clock: Clock
  readonly #hooks: AdmissionHooks
  #created = 0

  constructor(clock: Clock, hooks: AdmissionHooks) {
    this.#clock = clock
    this.#hooks = hooks
  }

  created(resource: Resource, asked: KubeObject): KubeObject {
    const object = this.#withDefaults(resource, asked)
    if (object.metadata.resourceVersion) {
      throw internalError('resourceVersion should not be set on objects to be created')
    }
    this.#created++
    const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...rest } = object.metadata
    const metadata: Meta = {
      ...rest,
      name: object.metadata.name || this.#generatedName(object),
      uid: `00000000-0000-4000-8000-${this.#created.toString(16).padStart(12, '0')}`,
      creationTimestamp: wholeSeconds(this.#clock.now()),
    }
    delete metadata['generation']
    const made: Record<string, unknown> & KubeObject = { ...object, metadata: tidy(metadata) }
    if (withStatus.has(tableKey(resource))) {
      metadata['generation'] = 1
      delete made['status']
    }
    // What a built-in kind has is always there, if empty.
    if (tableKey(resource) === tableKey(jobs)) made['status'] = {}
    this.#check(resource, made)
    return made
  }

  replaced(resource: Resource, current: KubeObject, asked: KubeObject): KubeObject {
    const { uid, resourceVersion } = asked.metadata
    const { name } = current.metadata
    if (uid && uid !== current.metadata.uid) throw conflict(resource, name, otherUid(uid))
    if (!resourceVersion && tableKey(resource) !== tableKey(jobs)) {
      const why = 'metadata.resourceVersion: must be specified for an update'
      throw invalid(resource, name, why)
    }
    return this.#updated(resource, current, asked)
  }

  patched(
    resource: Resource,
    current: KubeObject,
    patch: object,
    { subresource }: PatchOptions,
  ): KubeObject {
    const { name, namespace } = nameOf(current)
    if (subresource === 'status' && !withStatus.has(tableKey(resource))) {
      throw notFound(resource, `${name}/status`)
    }
    const asked = mergePatch(current, patch) as KubeObject
    const named = asked.metadata?.name === name && asked.metadata.namespace === namespace
    if (!named) throw badRequest('the name of the object does not match the name on the URL')
    return this.#updated(resource, current, asked, subresource)
  }

  #updated(
    resource: Resource,
    current: KubeObject,
    asked: KubeObject,
    subresource?: 'status',
  ): KubeObject {
    const { name, resourceVersion } = current.metadata
    if (asked.metadata.resourceVersion && asked.metadata.resourceVersion !== resourceVersion) {
      throw conflict(resource, name, staleVersion)
    }
    if (asked.metadata.uid && asked.metadata.uid !== current.metadata.uid) {
      throw invalid(resource, name, 'metadata.uid: field is immutable')
    }
    const object = this.#withDefaults(resource, asked)
    const updated =
      subresource === 'status'
        ? { ...current, status: object['status'] }
        : this.#mainUpdated(resource, current, object)
    this.#check(resource, updated, current)
    return updated
  }

  #mainUpdated(resource: Resource, current: KubeObject, object: KubeObject): KubeObject {
    const hasStatus = withStatus.has(tableKey(resource))
    const metadata: Meta = { ...object.metadata }
    for (const field of [
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
    ]) {
      metadata[field] = current.metadata[field]
    }
    if (current.metadata.deletionTimestamp !== undefined)
      refuseNewFinalizers(resource, current, object)
    const updated = { ...object, metadata: tidy(metadata) }
    if (!hasStatus) return updated
    const whole: KubeObject = { ...updated, status: current['status'] }
    if (isSameContent(whole, current)) return whole
    return raiseGeneration(whole)
  }

  #withDefaults(resource: Resource, asked: KubeObject): KubeObject {
    const { apiVersion = apiVersionOf(resource), kind = resource.kind } = asked
    if (apiVersion !== apiVersionOf(resource) || kind !== resource.kind) {
      throw badRequest(`${apiVersion} ${kind} in a request for ${tableKey(resource)}`)
    }
    const object = { ...asked, apiVersion, kind }
    return this.#hooks.defaults?.(resource, object) ?? object
  }

  #check(resource: Resource, object: KubeObject, previous?: KubeObject): void {
    const { name } = object.metadata
    if (!dnsSubdomain.test(name) || name.length > longestName) {
      throw invalid(resource, name, 'metadata.name: must be a lowercase RFC 1123 subdomain')
    }
    const wrong = this.#hooks.validate?.(resource, object, previous)
    if (wrong) throw invalid(resource, name, wrong)
  }

  #generatedName({ metadata }: KubeObject): string {
    const prefix = metadata['generateName']
    if (typeof prefix !== 'string' || prefix === '') return ''
    // As the server does: five characters, and the prefix is cut so that they fit a label.
    return prefix.slice(0, 58) + this.#created.toString(36).padStart(5, '0').slice(-5)
  }
}

/** RFC 3339 as Kubernetes writes times. */
export const wholeSeconds = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`

export function raiseGeneration(object: KubeObject): KubeObject {
  const { generation } = object.metadata
  if (generation === undefined) return object
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } }
}

function tidy(metadata: Meta): ObjectMeta {
  for (const field of absentWhenEmpty) {
    const value = metadata[field]
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) {
      delete metadata[field]
    }
  }
  return metadata as ObjectMeta
}

const isSameContent = (left: KubeObject, right: KubeObject): boolean =>
  isSameJson({ ...left, metadata: null, status: null }, { ...right, metadata: null, status: null })

function refuseNewFinalizers(resource: Resource, current: KubeObject, asked: KubeObject): void {
  const known = current.metadata.finalizers ?? []
  const added = (asked.metadata.finalizers ?? []).filter((finalizer) => !known.includes(finalizer))
  if (added.length === 0) return
  const why = 'metadata.finalizers: no new finalizers can be added if the object is being deleted'
  throw invalid(resource, current.metadata.name, why)
}
