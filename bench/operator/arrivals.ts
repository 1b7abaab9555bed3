import type { HttpKubeApi } from '../../packages/operator/dist/kube/http/index.js'
import { jobs } from '../../packages/operator/dist/kube/index.js'

/** When each Job of a namespace was first seen by a watch. */
export class Arrivals {
  readonly times: number[] = []
  readonly #ended = new AbortController()
  #enough: { readonly count: number; readonly resolve: () => void } | null = null

  async start(api: HttpKubeApi, namespace: string): Promise<void> {
    const { resourceVersion } = await api.list(jobs, { namespace, limit: 1 })
    void this.#follow(api, namespace, resourceVersion)
  }

  /** A busy server ends watches that it can't serve in time: they go on where they ended. */
  async #follow(api: HttpKubeApi, namespace: string, since: string): Promise<void> {
    const { signal } = this.#ended
    let resourceVersion = since
    while (!signal.aborted) {
      try {
        const query = { namespace, resourceVersion, timeoutSeconds: 600 }
        for await (const { type, object } of api.watch(jobs, query, signal)) {
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion
          if (type === 'ADDED') this.#arrived()
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }

  #arrived(): void {
    this.times.push(Date.now())
    if (this.#enough !== null && this.times.length >= this.#enough.count) this.#enough.resolve()
  }

  /** Resolves when so many have come, or after the time: with how many have. */
  async until(count: number, maxMs: number): Promise<number> {
    if (this.times.length >= count) return count
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#enough = { count, resolve }
      timer = setTimeout(resolve, maxMs)
    })
    clearTimeout(timer)
    return this.times.length
  }

  stop(): void {
    this.#ended.abort()
  }
}
