import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { ApiFailure } from '../api-failure.js'
import { refusal, warningsOf } from './answer.js'
import type { Call } from './call.js'
import { Connections, type Pools } from './connections.js'
import { type Access, type AccessSource, Credentials } from './credentials.js'
import { Deadline } from './deadline.js'
import { type GuardedOptions, NotSent } from './guarded-dispatch.js'

export interface TransportOptions {
  /** How many requests are under way at a time, watches not counted (default: 64). */
  readonly connections?: number
  /** For the whole of a request, and for the beginning of a watch (default: 15 s). */
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  readonly userAgent?: string
  /** Called when a request has ended, and when a watch has begun or could not. */
  readonly observe?: (request: ObservedRequest) => void
}

export interface ObservedRequest {
  readonly verb: Call['verb']
  /** The plural. */
  readonly resource: string
  /** `none` if there was no answer, or not a whole one. */
  readonly status: number | 'none'
  readonly durationMs: number
}

export interface WholeAnswer {
  readonly text: string
  /** What the server warns of, in its words. */
  readonly warnings: readonly string[]
}

/** An answer whose body comes as time goes by. */
export interface OpenAnswer {
  readonly body: Readable
  /** To be called when nobody reads it any more. */
  readonly end: () => void
}

/** Later they are of no use. */
const warmUpMs = 2000
const maxRefusalBytes = 1024 * 1024

type Response = Dispatcher.ResponseData

/** Sends calls to the API server, with credentials, limits and a word about each of them. */
export class Transport {
  readonly #credentials: Credentials
  readonly #connections: Connections
  readonly #prefix: string
  readonly #timeoutMs: number
  readonly #userAgent: string
  readonly #observe: (request: ObservedRequest) => void

  constructor(source: AccessSource, options: TransportOptions = {}) {
    const { origin, pathname } = new URL(source.server)
    this.#prefix = pathname.replace(/\/+$/, '')
    this.#credentials = new Credentials(source)
    this.#connections = new Connections({
      origin,
      proxyUrl: source.proxyUrl,
      connections: options.connections ?? 64,
      maxAnswerBytes: options.maxAnswerBytes ?? 256 * 1024 * 1024,
    })
    this.#timeoutMs = options.timeoutMs ?? 15_000
    this.#userAgent = options.userAgent ?? 'kron'
    this.#observe = options.observe ?? (() => {})
  }

  /** A successful answer. */
  async exchange(call: Call, signal: AbortSignal | undefined): Promise<WholeAnswer> {
    signal?.throwIfAborted()
    const deadline = new Deadline(this.#timeoutMs, signal)
    const finish = this.#stopwatch(call)
    try {
      const { response, access } = await this.#send(call, deadline, 'requests', 0)
      const text = await response.body.text()
      finish(response.statusCode)
      if (isSuccess(response)) return { text, warnings: warningsOf(response.headers['warning']) }
      throw this.#refused(call, response, access, text)
    } catch (error) {
      finish('none')
      throw failureOf(call, error, deadline, signal)
    } finally {
      deadline.end()
    }
  }

  /** Resolves when it has begun; after `silenceMs` without a byte it ends. */
  async open(call: Call, signal: AbortSignal, silenceMs: number): Promise<OpenAnswer> {
    signal.throwIfAborted()
    const deadline = new Deadline(this.#timeoutMs, signal)
    const finish = this.#stopwatch(call)
    try {
      const { response, access } = await this.#send(call, deadline, 'watches', silenceMs)
      if (!isSuccess(response)) {
        const text = await startOf(response.body)
        finish(response.statusCode)
        throw this.#refused(call, response, access, text)
      }
      finish(response.statusCode)
      deadline.lift()
      return { body: response.body, end: () => deadline.end() }
    } catch (error) {
      finish('none')
      deadline.end()
      throw failureOf(call, error, deadline, signal)
    }
  }

  /** By requests that cost next to nothing; what they are answered with does not matter. */
  async warmUp(connections: number): Promise<void> {
    const deadline = new Deadline(warmUpMs, undefined)
    const one = async (): Promise<void> => {
      const access = await deadline.race(Promise.resolve(this.#credentials.current()))
      const { requests } = this.#connections.with(access.tls)
      const { body } = await requests.request({
        origin: this.#connections.origin,
        method: 'GET',
        path: `${this.#prefix}/version`,
        headers: { ...access.headers, 'user-agent': this.#userAgent },
        signal: deadline.signal,
      })
      await body.dump()
    }
    await Promise.allSettled(Array.from({ length: connections }, one))
    deadline.end()
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #send(call: Call, deadline: Deadline, kind: keyof Pools, bodyTimeout: number) {
    const current = this.#credentials.current()
    const access = current instanceof Promise ? await deadline.race(current) : current
    const options: GuardedOptions = {
      // A proxy needs to know it.
      origin: this.#connections.origin,
      method: call.method,
      path: this.#prefix + call.path,
      headers: { ...access.headers, ...this.#headersOf(call) },
      body: call.body ?? null,
      signal: deadline.signal,
      bodyTimeout,
      guard: call.guard,
    }
    const response = await this.#connections.with(access.tls)[kind].request(options)
    return { response, access }
  }

  #headersOf({ method, body }: Call): Record<string, string> {
    const common = { accept: 'application/json', 'user-agent': this.#userAgent }
    if (body === undefined) return common
    const kind = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    return { ...common, 'content-type': kind }
  }

  #refused(call: Call, response: Response, access: Access, text: string): ApiFailure {
    const { statusCode, headers } = response
    if (statusCode === 401) this.#credentials.refuse(access)
    return refusal(call, statusCode, headers['retry-after'], text)
  }

  /** The first word counts. */
  #stopwatch({ verb, resource }: Call): (status: number | 'none') => void {
    const startedAt = performance.now()
    let isFinished = false
    return (status) => {
      if (isFinished) return
      isFinished = true
      const durationMs = performance.now() - startedAt
      this.#observe({ verb, resource: resource.plural, status, durationMs })
    }
  }
}

const isSuccess = ({ statusCode }: Response): boolean => statusCode >= 200 && statusCode < 300

/** Enough to say why. */
async function startOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > maxRefusalBytes) break
  }
  return Buffer.concat(pieces).toString()
}

/** What has no answer may have taken effect, whatever the reason that it has none. */
function failureOf(
  { method, path }: Call,
  error: unknown,
  deadline: Deadline,
  signal: AbortSignal | undefined,
): unknown {
  if (error instanceof ApiFailure) return error
  if (error instanceof NotSent) return error.cause
  if (signal?.aborted) return signal.reason
  const cause = deadline.isExpired ? deadline.signal.reason : error
  const { message, code = 'no answer' } = cause as Error & { code?: string }
  return new ApiFailure(`${method} ${path} failed: ${message || code}`, { status: null, cause })
}
