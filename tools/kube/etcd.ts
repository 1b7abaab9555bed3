/** The code of gRPC for a revision that is compacted, among others. */
const outOfRange = 11

class EtcdError extends Error {
  /** Of gRPC; null if the answer has none. */
  readonly code: number | null

  constructor(status: number, text: string) {
    super(`etcd answered ${status}: ${text}`)
    const code = /"code": ?(\d+)/.exec(text)
    this.code = code === null ? null : Number(code[1])
  }
}

/** etcd through its JSON gateway. */
export class Etcd {
  readonly #url: string

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`
  }

  async isHealthy(): Promise<boolean> {
    const response = await fetch(`${this.#url}/health`)
    return ((await response.json()) as { health: string }).health === 'true'
  }

  /** Forgets all but the present: older resource versions can't be listed or watched any more. */
  async compact(): Promise<void> {
    const { header } = await this.#post<{ header: { revision: string } }>('kv/range', {
      key: btoa('/'),
    })
    const { revision } = header
    try {
      await this.#post('kv/compaction', { revision, physical: true })
    } catch (error) {
      // Nothing has been written since the last time, so it is forgotten already.
      if (!(error instanceof EtcdError && error.code === outOfRange)) throw error
    }
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#url}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new EtcdError(response.status, text)
    return JSON.parse(text) as T
  }
}
