import type { KubeApi, WatchEvent, WatchQuery } from '../../../src/kube/kube-api.js'
import type { Resource } from '../../../src/kube/kube-object.js'

/** Reads a watch event by event. Bookmarks are left out: a server may send them at any time. */
export class WatchReader {
  readonly #abort = new AbortController()
  readonly #events: AsyncIterator<WatchEvent>
  #lastRead: Promise<unknown> = Promise.resolve()

  constructor(api: KubeApi, resource: Resource, query: WatchQuery) {
    this.#events = api.watch(resource, query, this.#abort.signal)[Symbol.asyncIterator]()
  }

  /** Null when the watch has ended. */
  next(): Promise<WatchEvent | null> {
    const read = this.#next()
    this.#lastRead = read.catch(() => undefined)
    return read
  }

  /** All events up to the first one that is meant, with it. */
  async until(isMeant: (event: WatchEvent) => boolean): Promise<readonly WatchEvent[]> {
    const seen: WatchEvent[] = []
    for (;;) {
      const event = await this.next()
      if (event === null) throw new Error(`the watch ended after ${seen.length} events`)
      seen.push(event)
      if (isMeant(event)) return seen
    }
  }

  /** As `TYPE name`. */
  async texts(count: number): Promise<readonly string[]> {
    let left = count
    const seen = await this.until(() => --left === 0)
    return seen.map(({ type, object }) => `${type} ${object.metadata.name}`)
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason)
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the test is over'))
    await this.#lastRead
    await this.#events.return?.().catch(() => undefined)
  }

  async #next(): Promise<WatchEvent | null> {
    for (;;) {
      const { done, value } = await this.#events.next()
      if (done === true) return null
      if (value.type !== 'BOOKMARK') return value
    }
  }
}

export const isDeletionOf =
  (name: string) =>
  ({ type, object }: WatchEvent): boolean =>
    type === 'DELETED' && object.metadata.name === name
