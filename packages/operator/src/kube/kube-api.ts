import type { KubeObject, Resource } from './kube-object.js'

/**
 * What we use of an API server. Each call is one request; nothing is repeated here, since only the
 * caller knows whether that is right. What fails rejects with an `ApiFailure`, and an aborted
 * signal with its reason.
 */
export interface KubeApi {
  /** One page. Without a resource version the answer is as fresh as etcd. */
  list(resource: Resource, query: ListQuery, signal?: AbortSignal): Promise<ObjectList>

  /**
   * Changes after a resource version, until the server or the network ends the watch: then the
   * iteration ends. A watch that can't begin, and an ERROR event, reject: status 410 when the
   * version is too old.
   */
  watch(resource: Resource, query: WatchQuery, signal: AbortSignal): AsyncIterable<WatchEvent>

  get(resource: Resource, name: ObjectName, signal?: AbortSignal): Promise<KubeObject>

  /** Into the namespace of its metadata. */
  create(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject>

  /**
   * Rejects if a `create` would, or if the object has fields that the server would drop; nothing is
   * kept. Some admission webhooks can't be asked in this way, and then it rejects as well. Answers
   * what the server warns of.
   */
  tryCreate(
    resource: Resource,
    object: KubeObject,
    signal?: AbortSignal,
  ): Promise<readonly string[]>

  /** The whole object, if its resource version is still the one that it names. */
  replace(resource: Resource, object: KubeObject, signal?: AbortSignal): Promise<KubeObject>

  /**
   * A JSON merge patch. With `metadata.resourceVersion` in it, it holds for that version only.
   */
  patch(
    resource: Resource,
    name: ObjectName,
    patch: object,
    options?: PatchOptions,
    signal?: AbortSignal,
  ): Promise<KubeObject>

  /** Resolves when the deletion is accepted; with foreground propagation it takes longer. */
  delete(
    resource: Resource,
    name: ObjectName,
    options: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<void>
}

/** An API server over a network, where a request may be held up before it leaves. */
export interface GuardableKubeApi extends KubeApi {
  /**
   * The same API server, with one more guard that is asked at the last moment before a change is
   * sent. What it throws is what the call rejects with, and then nothing was sent.
   */
  guardedBy?(guard: () => void): GuardableKubeApi
  /** Prepares for so many requests at once, which will come in a moment. Never rejects. */
  warmUp?(requests: number): Promise<void>
}

export interface ObjectName {
  readonly namespace: string
  readonly name: string
}

export interface ListQuery {
  /** All namespaces if there is none. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly limit?: number
  /** Of the page before. */
  readonly continue?: string
}

export interface ObjectList {
  /** From where to watch on. */
  readonly resourceVersion: string
  /** Of the next page, if there is one. */
  readonly continue?: string
  readonly items: readonly KubeObject[]
}

export interface WatchQuery {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly resourceVersion: string
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number
}

/** A bookmark only says how far the watch has come; its object has nothing but a version. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: KubeObject
}

export interface PatchOptions {
  readonly subresource?: 'status'
}

export interface DeleteOptions {
  /** Foreground: the object stays until all that it owns is gone. */
  readonly propagation: 'Foreground' | 'Background'
  /** Only the object with this uid; another one of the same name gives 409. */
  readonly uid?: string
}
