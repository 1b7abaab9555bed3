import type { Dispatcher } from 'undici'
import { ResponseBody } from './response-body.js'

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
