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
    await this.#post('kv/compaction', { revision: header.revision, physical: true })
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#url}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`etcd answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }
}
