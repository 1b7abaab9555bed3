import { createSecureContext } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { TlsOptions } from './credentials.js'
import { guardedDispatch } from './guarded-dispatch.js'

export interface ConnectionsOptions {
  /** Scheme, host and port. */
  readonly origin: string
  readonly proxyUrl: string | null
  /** For requests; watches have one each. */
  readonly connections: number
  readonly maxAnswerBytes: number
}

/** Apart from each other, so that watches, which last, take no connection away from requests. */
export interface Pools {
  readonly requests: Dispatcher
  readonly watches: Dispatcher
}

/** The system probes a silent peer after this, and gives it up some ten seconds later. */
const probeAfterMs = 10_000
const connectLimitMs = 10_000
/** A handshake costs the API server more than a small request. */
const idleMs = 45_000

/** The pools of the TLS options in use: other ones, when a certificate was renewed, get new ones. */
export class Connections {
  readonly #options: ConnectionsOptions
  #tls: TlsOptions | null = null
  #pools: Pools | null = null
  /** The same, to be closed. */
  #opened: Pools | null = null
  /** Of other TLS options, until what is under way on them has ended. */
  readonly #retired = new Set<Dispatcher>()
  #closed: Promise<void> | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  get origin(): string {
    return this.#options.origin
  }

  with(tls: TlsOptions): Pools {
    if (this.#closed !== null) throw new Error('the client was closed')
    if (this.#pools !== null && (tls === this.#tls || isDeepStrictEqual(tls, this.#tls))) {
      return this.#pools
    }
    this.#retire()
    this.#tls = tls
    const { connections, maxAnswerBytes } = this.#options
    const requests = this.#pool(tls, connections, maxAnswerBytes)
    const watches = this.#pool(tls, null, -1)
    this.#opened = { requests, watches }
    this.#pools = { requests: requests.compose(guardedDispatch), watches }
    return this.#pools
  }

  /** Requests that are under way end, watches are cut. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  async #shutDown(): Promise<void> {
    const { requests, watches } = this.#opened ?? {}
    const cut = [watches, ...this.#retired].map((pool) => pool?.destroy())
    await Promise.all([requests?.close(), ...cut])
  }

  #retire(): void {
    const { requests, watches } = this.#opened ?? {}
    for (const pool of [requests, watches]) {
      if (pool === undefined) continue
      this.#retired.add(pool)
      const leave = (): boolean => this.#retired.delete(pool)
      pool.close().then(leave, leave)
    }
  }

  #pool(tls: TlsOptions, connections: number | null, maxResponseSize: number): Dispatcher {
    const { origin, proxyUrl } = this.#options
    const connect = {
      ...tls,
      // To read the certificates takes longer than the rest of a connection.
      secureContext: createSecureContext(tls),
      allowH2: false,
      timeout: connectLimitMs,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
    }
    const options = {
      connections,
      maxResponseSize,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      // Each request has a limit of its own for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    if (proxyUrl === null) return new Pool(origin, { ...options, connect })
    const { keepAlive, keepAliveInitialDelay } = connect
    const proxyTls = { keepAlive, keepAliveInitialDelay }
    return new ProxyAgent({ ...options, uri: proxyUrl, requestTls: connect, proxyTls })
  }
}
