import { formatDuration } from '@kron/core'
import type { Connection } from './connection.js'
import type { ConnectionPool } from './connection-pool.js'
import type { ExchangeError, ExchangeRequest, ExchangeResult, ExchangeStatus } from './exchange.js'
import { ExchangeFailure, failureOf } from './exchange-failure.js'
import type { TenantShare } from './fair-line.js'
import { type Message, prepareMessage } from './message.js'
import type { ConnectionWaiter } from './origin.js'
import { maxRedirects, redirectOf } from './redirect.js'
import { type ResponseOwner, ResponseReader } from './response-reader.js'
import type { Stop, Stoppable } from './stop.js'
import type { Waiter } from './wait-list.js'

/** What all exchanges of a dispatcher share. */
export interface ExchangeContext {
  readonly pool: ConnectionPool
  readonly live: Set<LiveExchange>
  readonly userAgent: string
  readonly now: () => number
}

/** A timer with a longer delay would overflow and fire at once. */
const longestTimeoutMs = 2 ** 31 - 1

/**
 * An exchange from the call to its result: in line for a connection, then on one, once for each
 * hop of a redirect. Whatever ends it first (answer, failure, time limit, stop) settles it.
 */
export class LiveExchange implements ConnectionWaiter, ResponseOwner, Stoppable {
  ahead: Waiter | null = null
  behind: Waiter | null = null
  share: TenantShare | null = null
  readonly #context: ExchangeContext
  readonly #request: ExchangeRequest
  readonly #stop: Stop
  readonly #resolve: (result: ExchangeResult) => void
  readonly #startedAt: number
  #timer: NodeJS.Timeout | null = null
  #message: Message | null = null
  #connection: Connection | null = null
  #reader: ResponseReader | null = null
  #redirects = 0

  constructor(
    context: ExchangeContext,
    request: ExchangeRequest,
    stop: Stop,
    resolve: (result: ExchangeResult) => void,
  ) {
    this.#context = context
    this.#request = request
    this.#stop = stop
    this.#resolve = resolve
    this.#startedAt = context.now()
  }

  get tenantId(): string {
    return this.#request.tenantId
  }

  start(): void {
    const { live, userAgent } = this.#context
    const flaw = limitFlaw(this.#request)
    const message = flaw ?? prepareMessage(this.#request, userAgent)
    if (this.#stop.isStopped) this.cancel()
    else if (message instanceof ExchangeFailure) this.#settle('failure', message)
    else {
      live.add(this)
      this.#stop.add(this)
      const delayMs = Math.min(this.#request.timeoutMs, longestTimeoutMs)
      this.#timer = setTimeout(timeOut, delayMs, this)
      this.#send(message)
    }
  }

  begin(connection: Connection): void {
    this.#connection = connection
    this.#reader = new ResponseReader(this, this.#request.maxResponseBytes)
    connection.write(this.tenantId, this.#message!, this.#reader)
  }

  responseRead(whole: boolean): void {
    const { status, headers } = this.#reader!
    this.#leaveConnection(whole)
    if (status! >= 300 && status! < 400) this.#redirected(status!, headers['location'])
    else this.#settle(status! < 300 ? 'success' : 'failure', null)
  }

  responseFailed(error: unknown): void {
    const failure = failureOf(error, this.#reader!.status !== null)
    this.#leaveConnection(false)
    this.#settle(failure.code === 'connect_timeout' ? 'timeout' : 'failure', failure)
  }

  cancel(): void {
    this.#giveUp('cancelled', new ExchangeFailure('cancelled', 'the exchange was cancelled'))
  }

  timeOut(): void {
    const message = `no complete response within ${formatDuration(Math.ceil(this.#request.timeoutMs))}`
    this.#giveUp('timeout', new ExchangeFailure('timeout', message))
  }

  #send(message: Message): void {
    this.#message = message
    this.#context.pool.acquire(message.target, this)
  }

  #redirected(status: number, location: string | undefined): void {
    if (this.#request.redirects === 'refuse') {
      const failure = new ExchangeFailure('redirect_refused', `redirected with status ${status}`)
      this.#settle('failure', failure)
      return
    }
    const next = redirectOf(this.#message!, status, location, this.#request.headersWithoutBody)
    if (next === null || next instanceof ExchangeFailure) this.#settle('failure', next)
    else if (++this.#redirects > maxRedirects) {
      const message = `redirected more than ${maxRedirects} times`
      this.#settle('failure', new ExchangeFailure('too_many_redirects', message))
    } else {
      this.#reader = null
      this.#send(next)
    }
  }

  #giveUp(status: ExchangeStatus, failure: ExchangeFailure): void {
    if (this.#connection !== null) this.#leaveConnection(false)
    else if (this.#message !== null) this.#context.pool.withdraw(this.#message.target, this)
    this.#settle(status, failure)
  }

  #leaveConnection(reusable: boolean): void {
    const connection = this.#connection!
    this.#connection = null
    this.#reader!.stop()
    if (reusable) this.#context.pool.release(connection, this)
    else this.#context.pool.discard(connection, this)
  }

  #settle(status: ExchangeStatus, error: ExchangeError | null): void {
    const { live, now } = this.#context
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#stop.remove(this)
    live.delete(this)
    const reader = this.#reader
    this.#resolve({
      status,
      httpStatus: reader?.status ?? null,
      headers: reader?.headers ?? {},
      body: reader?.body.take() ?? new Uint8Array(0),
      truncated: reader?.body.truncated ?? false,
      startedAt: this.#startedAt,
      endedAt: now(),
      error: error === null ? null : { code: error.code, message: error.message },
    })
  }
}

const timeOut = (exchange: LiveExchange): void => exchange.timeOut()

function limitFlaw({ timeoutMs, maxResponseBytes }: ExchangeRequest): ExchangeFailure | null {
  if (!(timeoutMs > 0)) return invalid('timeoutMs must be more than zero')
  if (!Number.isInteger(maxResponseBytes) || maxResponseBytes < 0) {
    return invalid('maxResponseBytes must be a whole number, zero or more')
  }
  return null
}

const invalid = (reason: string): ExchangeFailure => new ExchangeFailure('request_invalid', reason)
