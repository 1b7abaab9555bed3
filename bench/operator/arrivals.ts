import { type HttpKubeApi, jobs } from '@kron/operator'

/** When each Job of a namespace was first seen by a watch. */
export class Arrivals {
  readonly times: number[] = []
  readonly #ended = new AbortController()
  #enough: { readonly count: number; readonly resolve: () => void } | null = null

  async start(api: HttpKubeApi, namespace: string): Promise<void> {
    const { resourceVersion } = await api.list(jobs, { namespace, limit: 1 })
    const query = { namespace, resourceVersion, timeoutSeconds: 600 }
    void this.#follow(api.watch(jobs, query, this.#ended.signal))
  }

  async #follow(events: ReturnType<HttpKubeApi['watch']>): Promise<void> {
    try {
      for await (const { type } of events) {
        if (type !== 'ADDED') continue
        this.times.push(Date.now())
        if (this.#enough !== null && this.times.length >= this.#enough.count) this.#enough.resolve()
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error
    }
  }

  /** Resolves when so many have come, or after the time: with how many have. */
  async until(count: number, mostMs: number): Promise<number> {
    if (this.times.length >= count) return count
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#enough = { count, resolve }
      timer = setTimeout(resolve, mostMs)
    })
    clearTimeout(timer)
    return this.times.length
  }

  stop(): void {
    this.#ended.abort()
  }
}
