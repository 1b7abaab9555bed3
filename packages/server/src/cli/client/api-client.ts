import { CommandFailure, exitCodes } from '@kron/command'
import { Agent, request } from 'undici'
import { ApiProblem, readProblem } from './api-problem.js'
import { EventReader, type ServerEvent } from './event-reader.js'

export interface ApiClientOptions {
  readonly server: URL
  readonly key: string
  readonly userAgent: string
  readonly signal: AbortSignal
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Response = Awaited<ReturnType<typeof request>>

const connectMs = 10_000
const answerMs = 60_000
/** Three heartbeats of the server without a sign of life. */
const silenceMs = 45_000

/** The API of a server, as one caller with one key. */
export class ApiClient {
  readonly #options: ApiClientOptions
  readonly #agent = new Agent({ connect: { timeout: connectMs }, headersTimeout: answerMs })

  constructor(options: ApiClientOptions) {
    this.#options = options
  }

  get server(): string {
    return this.#options.server.href.replace(/\/$/, '')
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#json<T>('GET', path, query)
  }

  async getBytes(path: string): Promise<Uint8Array> {
    const response = await this.#checked('GET', path, {}, undefined, '*/*')
    return new Uint8Array(await response.body.arrayBuffer())
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.#json<T>('POST', path, {}, body)
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>('PUT', path, {}, body)
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>('PATCH', path, {}, body)
  }

  delete<T>(path: string): Promise<T> {
    return this.#json<T>('DELETE', path, {})
  }

  /** What happens from now on in the tenant, until the signal aborts or the server goes away. */
  async events(): Promise<AsyncGenerator<ServerEvent>> {
    const response = await this.#checked('GET', '/events', {}, undefined, 'text/event-stream')
    return this.#eventsOf(response)
  }

  async *#eventsOf(response: Response): AsyncGenerator<ServerEvent> {
    const reader = new EventReader()
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body) {
        yield* reader.read(decoder.decode(piece as Uint8Array, { stream: true }))
      }
    } catch (error) {
      if (!this.#options.signal.aborted) throw this.#unreachable(error)
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #json<T>(method: Method, path: string, query: Query, body?: unknown): Promise<T> {
    const response = await this.#checked(method, path, query, body, 'application/json')
    const text = await response.body.text().catch((error) => {
      throw this.#unreachable(error)
    })
    if (text === '') return undefined as T
    try {
      return JSON.parse(text) as T
    } catch {
      throw this.#notOurs(response.statusCode)
    }
  }

  async #checked(
    method: Method,
    path: string,
    query: Query,
    body: unknown,
    accept: string,
  ): Promise<Response> {
    const response = await this.#send(method, path, query, body, accept)
    if (response.statusCode >= 200 && response.statusCode < 300) return response
    const text = await response.body.text().catch(() => '')
    const problem = readProblem(response.statusCode, text)
    throw problem === null ? this.#notOurs(response.statusCode) : new ApiProblem(problem, body)
  }

  async #send(
    method: Method,
    path: string,
    query: Query,
    body: unknown,
    accept: string,
  ): Promise<Response> {
    const { key, userAgent, signal } = this.#options
    const headers = {
      accept,
      authorization: `Bearer ${key}`,
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      return await request(this.#url(path, query), {
        dispatcher: this.#agent,
        method,
        headers,
        bodyTimeout: accept === 'text/event-stream' ? silenceMs : answerMs,
        signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (error) {
      throw this.#unreachable(error)
    }
  }

  #url(path: string, query: Query): string {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value === null || value === undefined) continue
      for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, `${each}`)
    }
    const text = parameters.toString()
    return `${this.server}/api/v1${path}${text === '' ? '' : `?${text}`}`
  }

  #unreachable(error: unknown): CommandFailure {
    const { signal } = this.#options
    if (signal.aborted) return new CommandFailure(exitCodes.unavailable, 'interrupted')
    const reason = reasonOf(error)
    return new CommandFailure(exitCodes.unavailable, `no answer from ${this.server}: ${reason}`, [
      'hint: kron serve, in another terminal, starts a server; --server or KRON_SERVER names another',
    ])
  }

  #notOurs(status: number): CommandFailure {
    const message = `${this.server} answered ${status}, but not as a Kron server does`
    const hint = 'hint: is there a proxy in between, or another program on this port?'
    return new CommandFailure(exitCodes.unavailable, message, [hint])
  }
}

/** Several addresses of one name fail together, with an error that says nothing itself. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}
