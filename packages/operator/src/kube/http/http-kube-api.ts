import { ApiFailure } from '../api-failure.js'
import type {
  DeleteOptions,
  KubeApi,
  ListQuery,
  ObjectList,
  ObjectName,
  PatchOptions,
  WatchEvent,
  WatchQuery,
} from '../kube-api.js'
import type { KubeObject, Resource } from '../kube-object.js'
import { type Call, collectionPath, objectPath, withQuery } from './call.js'
import type { AccessSource } from './credentials.js'
import type { Guard } from './guarded-dispatch.js'
import { Transport, type TransportOptions } from './transport.js'
import { watchEvents } from './watch-events.js'

export interface HttpKubeApiOptions extends TransportOptions {
  readonly maxWatchLineBytes?: number
  /** How much longer than it was asked for a watch may be silent (default: 30 s). */
  readonly watchGraceMs?: number
}

/** An API server over HTTP/1.1: JSON as it is, both ways. */
export class HttpKubeApi implements KubeApi {
  readonly #transport: Transport
  readonly #options: HttpKubeApiOptions
  readonly #guard: Guard | undefined
  readonly #maxWatchLineBytes: number
  readonly #watchGraceMs: number

  constructor(
    source: AccessSource | Transport,
    options: HttpKubeApiOptions = {},
    guard?: Guard | undefined,
  ) {
    this.#transport = source instanceof Transport ? source : new Transport(source, options)
    this.#options = options
    this.#guard = guard
    this.#maxWatchLineBytes = options.maxWatchLineBytes ?? 8 * 1024 * 1024
    this.#watchGraceMs = options.watchGraceMs ?? 30_000
  }

  /** The same API server and connections; each change is asked about when it is about to be sent. */
  guardedBy(guard: Guard): HttpKubeApi {
    const before = this.#guard
    const both: Guard = () => {
      before?.()
      guard()
    }
    return new HttpKubeApi(this.#transport, this.#options, before === undefined ? guard : both)
  }

  /** Opens so many connections, for requests that will come in a moment. Never rejects. */
  async warmUp(connections: number): Promise<void> {
    await this.#transport.warmUp(connections)
  }

  async list(resource: Resource, query: ListQuery, signal?: AbortSignal): Promise<ObjectList> {
    const { namespace, ...parameters } = query
    const path = withQuery(collectionPath(resource, namespace), parameters)
    const call: Call = { verb: 'list', resource, method: 'GET', path }
    const { metadata, items } = await this.#answer<ListAnswer>(call, signal)
    const { resourceVersion, continue: next } = metadata
    if (!Array.isArray(items) || typeof resourceVersion !== 'string') {
      throw unreadable(call, 'it is not a list')
    }
    return { resourceVersion, items, ...(next ? { continue: next } : {}) }
  }

  async *watch(
    resource: Resource,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void> {
    const { namespace, ...parameters } = query
    const path = withQuery(collectionPath(resource, namespace), {
      watch: 1,
      allowWatchBookmarks: 'true',
      ...parameters,
    })
    const call: Call = { verb: 'watch', resource, method: 'GET', path }
    const silenceMs = query.timeoutSeconds * 1000 + this.#watchGraceMs
    const { body, end } = await this.#transport.open(call, signal, silenceMs)
    try {
      yield* watchEvents(body, signal, this.#maxWatchLineBytes)
    } finally {
      end()
    }
  }

  async get(resource: Resource, name: ObjectName, signal?: AbortSignal): Promise<KubeObject> {
    const path = objectPath(resource, name)
    return this.#answer<KubeObject>({ verb: 'get', resource, method: 'GET', path }, signal)
  }

  async create(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject> {
    const path = collectionPath(resource, object.metadata.namespace ?? '')
    const body = JSON.stringify(object)
    return this.#answer<KubeObject>(
      { verb: 'create', resource, method: 'POST', path, body },
      signal,
    )
  }

  async tryCreate(
    resource: Resource,
    object: KubeObject,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const collection = collectionPath(resource, object.metadata.namespace ?? '')
    const path = withQuery(collection, { dryRun: 'All', fieldValidation: 'Strict' })
    const body = JSON.stringify(object)
    const call: Call = { verb: 'create', resource, method: 'POST', path, body }
    return (await this.#transport.exchange(this.#guarded(call), signal)).warnings
  }

  async replace(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject> {
    const { namespace = '', name } = object.metadata
    const path = objectPath(resource, { namespace, name })
    const body = JSON.stringify(object)
    return this.#answer<KubeObject>({ verb: 'update', resource, method: 'PUT', path, body }, signal)
  }

  async patch(
    resource: Resource,
    name: ObjectName,
    patch: object,
    options: PatchOptions = {},
    signal?: AbortSignal,
  ): Promise<KubeObject> {
    const path = objectPath(resource, name, options.subresource)
    const body = JSON.stringify(patch)
    return this.#answer<KubeObject>(
      { verb: 'patch', resource, method: 'PATCH', path, body },
      signal,
    )
  }

  async delete(
    resource: Resource,
    name: ObjectName,
    { propagation, uid }: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void> {
    const path = objectPath(resource, name)
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    const call: Call = { verb: 'delete', resource, method: 'DELETE', path, body }
    await this.#transport.exchange(this.#guarded(call), signal)
  }

  /** Requests that are under way end, watches are cut. */
  close(): Promise<void> {
    return this.#transport.close()
  }

  #guarded(call: Call): Call {
    if (this.#guard === undefined || call.method === 'GET') return call
    return { ...call, guard: this.#guard }
  }

  /** An object, or a list of objects: all of them have metadata. */
  async #answer<T extends { readonly metadata: object }>(
    call: Call,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { text } = await this.#transport.exchange(this.#guarded(call), signal)
    let parsed: Partial<T> | null
    try {
      parsed = JSON.parse(text)
    } catch (cause) {
      throw unreadable(call, 'it is not JSON', cause)
    }
    if (typeof parsed?.metadata === 'object' && parsed.metadata !== null) return parsed as T
    throw unreadable(call, 'it is not an object')
  }
}

interface ListAnswer {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly KubeObject[]
}

/** It may have taken effect: a success that can't be read is as good as no answer. */
function unreadable({ method, path }: Call, what: string, cause?: unknown): ApiFailure {
  const message = `the answer to ${method} ${path} can't be read: ${what}`
  return new ApiFailure(message, { status: null, cause })
}
