import type { Dispatcher } from 'undici'

export type ResponseHeaders = Readonly<Record<string, string>>

export interface ResponseOwner {
  /** The response is read as far as it will be; `whole` when the connection can be used again. */
  responseRead(whole: boolean): void
  responseFailed(error: unknown): void
}

const maxHeaders = 100
const noHeaders: ResponseHeaders = Object.freeze(Object.create(null) as Record<string, string>)

type RawHeaders = Record<string, string | string[] | undefined>

/** Takes one response from the HTTP client, and tells its owner once how that ended. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  status: number | null = null
  headers: ResponseHeaders = noHeaders
  readonly body: ResponseBody
  #owner: ResponseOwner | null

  constructor(owner: ResponseOwner, maxBytes: number) {
    this.#owner = owner
    this.body = new ResponseBody(maxBytes)
  }

  /** Whatever comes from now on is of no interest. */
  stop(): void {
    this.#owner = null
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: RawHeaders): void {
    // Informational responses precede the one that counts.
    if (status < 200) return
    this.status = status
    this.headers = cappedHeaders(headers)
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    if (this.#owner !== null && !this.body.append(chunk)) this.#leave()?.responseRead(false)
  }

  onResponseEnd(): void {
    this.#leave()?.responseRead(true)
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#leave()?.responseFailed(error)
  }

  #leave(): ResponseOwner | null {
    const owner = this.#owner
    this.#owner = null
    return owner
  }
}

/** Their size is capped by the client; names such as `__proto__` must stay names. */
function cappedHeaders(raw: RawHeaders): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string>
  let count = 0
  for (const name of Object.keys(raw)) {
    if (++count > maxHeaders) break
    const value = raw[name]
    headers[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '')
  }
  return headers
}

const nothing = new Uint8Array(0)
const firstCapacity = 1024

/**
 * The bytes of a response, at most so many. They are copied: a piece of a socket's buffer would
 * keep all of that buffer alive, and a body that arrives byte by byte would be as many objects.
 */
export class ResponseBody {
  readonly #limit: number
  #bytes: Uint8Array = nothing
  #length = 0
  #truncated = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get truncated(): boolean {
    return this.#truncated
  }

  /** False when the chunk did not fit as a whole. */
  append(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#length
    const fitting = chunk.length <= room ? chunk : chunk.subarray(0, room)
    this.#truncated = fitting !== chunk
    const length = this.#length + fitting.length
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(fitting, this.#length)
    this.#length = length
    return !this.#truncated
  }

  /** Exactly what arrived, in memory of its own. */
  take(): Uint8Array {
    if (this.#length === 0) return nothing
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length)
  }

  #grow(length: number): void {
    // Most bodies come in one piece: the first is given just its size.
    const doubled = this.#length === 0 ? length : Math.max(firstCapacity, this.#length * 2)
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(length, doubled)))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}
