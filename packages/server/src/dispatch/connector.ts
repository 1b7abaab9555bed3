import { connect as connectSocket, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { formatDuration } from '@kron/core'
import { messageOf } from '@kron/runtime'
import { ExchangeFailure } from './exchange-failure.js'
import { parseAddress, sameAddress } from './guard/address.js'
import { type AddressGuard, allowRemedy, isLocalReason } from './guard/index.js'
import { isLoopbackName, type TenantResolver } from './names/index.js'
import type { Target } from './target.js'

/**
 * Opens connections, and is the only place that does. Three checks stand between a URL and a
 * socket, since each of them alone can be talked around:
 *
 *   literal or name --resolve--> every address checked --connect--> the peer's address checked
 *
 * A host is refused when any of its addresses is: an answer that mixes public and private ones is
 * an attempt to be lucky. The connection goes to one of the addresses checked and the name is not
 * looked up again, so an answer that changes in between changes nothing. The peer's address is
 * read from the socket before the first byte, the handshake's included, because an address such
 * as 0.0.0.0 leads elsewhere. All of this is repeated for each new connection.
 */
export interface ConnectorOptions {
  readonly guard: AddressGuard
  readonly resolve: TenantResolver
  readonly connectTimeoutMs: number
  /** PEM certificates to trust instead of those that Node.js trusts. */
  readonly certificateAuthorities: readonly string[] | null
}

export type Connected = (failure: ExchangeFailure | null, socket: Socket | null) => void

const maxAddressesTried = 8
const attemptTimeoutMs = 500
const keepAliveProbeMs = 60_000

/** One connection being opened: DNS, TCP and TLS. `connected` is called once, and never at once. */
export class ConnectionAttempt {
  readonly #options: ConnectorOptions
  readonly #target: Target
  readonly #tenantId: string
  readonly #connected: Connected
  readonly #timer: NodeJS.Timeout
  #socket: Socket | null = null
  #over = false

  /** `tenantId`: for whom it is opened, since look-ups are bounded for each. */
  constructor(options: ConnectorOptions, target: Target, tenantId: string, connected: Connected) {
    this.#options = options
    this.#target = target
    this.#tenantId = tenantId
    this.#connected = connected
    this.#timer = setTimeout(() => this.#fail(connectTimeout(options)), options.connectTimeoutMs)
    void this.#start()
  }

  /** Nobody waits any more; `connected` is not called. */
  abort(): void {
    this.#end()
    this.#socket?.destroy()
  }

  async #start(): Promise<void> {
    try {
      const addresses = this.#callable(await this.#resolve())
      for (const address of addresses) this.#check(address)
      if (!this.#over) this.#connect(addresses)
    } catch (error) {
      this.#fail(error instanceof ExchangeFailure ? error : connectFailed(error))
    }
  }

  async #resolve(): Promise<readonly string[]> {
    const { hostname } = this.#target
    if (isIP(hostname) !== 0) return [hostname]
    try {
      const resolved = await this.#options.resolve(hostname, this.#tenantId)
      if (resolved.length > 0) return resolved.map(({ address }) => address)
    } catch (error) {
      throw new ExchangeFailure('dns_failed', `can't resolve ${hostname}: ${wordsOf(error)}`)
    }
    throw new ExchangeFailure('dns_failed', `can't resolve ${hostname}: it has no address`)
  }

  /** One denied address refuses a host; but who allows one of this machine allows `localhost`. */
  #callable(addresses: readonly string[]): readonly string[] {
    const { hostname, port } = this.#target
    if (!isLoopbackName(hostname)) return addresses
    const allowed = addresses.filter((address) => this.#options.guard.check(address, port).allowed)
    return allowed.length > 0 ? allowed : addresses.toSorted(byFamily)
  }

  /** A name's address is not shown: what an internal name resolves to is nobody's business. */
  #check(address: string): void {
    const { hostname, port } = this.#target
    const verdict = this.#options.guard.check(address, port)
    if (verdict.allowed) return
    const isOwn = isLoopbackName(hostname) && verdict.reason === 'loopback'
    const isShown = address === hostname || isOwn
    const what = address === hostname ? 'is' : 'resolves to'
    const remedy = isLocalReason(verdict.reason)
      ? `; ${allowRemedy(verdict.reason, isShown ? address : '<its address>', port)}`
      : ''
    throw new ExchangeFailure(
      'address_denied',
      `${hostname} ${what} an address that is not allowed on port ${port}: ` +
        `${verdict.reason}${remedy}`,
    )
  }

  #connect(addresses: readonly string[]): void {
    const tried = addresses.slice(0, maxAddressesTried)
    const socket = connectSocket({
      host: tried[0]!,
      port: this.#target.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveProbeMs,
      ...(tried.length > 1 && amongAddresses(this.#target.hostname, tried)),
    })
    this.#socket = socket
    socket.on('error', (error) => this.#fail(connectFailed(error)))
    socket.once('connect', () => this.#checkPeer(socket, tried))
  }

  #checkPeer(socket: Socket, addresses: readonly string[]): void {
    const { remoteAddress = '', remotePort = 0 } = socket
    const verdict = this.#options.guard.check(remoteAddress, remotePort)
    if (verdict.allowed && isAmong(remoteAddress, addresses)) {
      if (this.#target.secure) this.#secure(socket)
      else this.#succeed(socket)
      return
    }
    const reason = verdict.allowed ? 'not the one that was checked' : verdict.reason
    this.#fail(
      new ExchangeFailure(
        'address_denied',
        `${this.#target.hostname} leads to an address that is not allowed: ${reason}`,
      ),
    )
  }

  #secure(socket: Socket): void {
    const { hostname } = this.#target
    const { certificateAuthorities } = this.#options
    const secured = connectSecurely({
      socket,
      host: hostname,
      // The root's dot belongs to DNS; names in certificates are written without it.
      ...(isIP(hostname) === 0 && { servername: hostname.replace(/\.$/, '') }),
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED can't turn it off.
      rejectUnauthorized: true,
      ...(certificateAuthorities !== null && { ca: [...certificateAuthorities] }),
    })
    this.#socket = secured
    secured.on('error', (error) => this.#fail(tlsFailed(error)))
    secured.once('secureConnect', () => this.#succeed(secured))
  }

  #succeed(socket: Socket): void {
    if (this.#over) return
    this.#end()
    this.#connected(null, socket)
  }

  #fail(failure: ExchangeFailure): void {
    if (this.#over) return
    this.abort()
    this.#connected(failure, null)
  }

  #end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}

/** Node.js tries them in turn; it never asks anybody else, as the look-up is answered here. */
function amongAddresses(host: string, addresses: readonly string[]) {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return {
    host,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    lookup: (_name: string, _options: unknown, answer: Answer) => answer(null, answers),
  }
}

/** IPv4 first: it is what people expect a name of this machine to be. */
const byFamily = (one: string, other: string): number => isIP(one) - isIP(other)

type Answer = (error: null, addresses: { address: string; family: number }[]) => void

function isAmong(text: string, addresses: readonly string[]): boolean {
  const peer = parseAddress(text)
  if (peer === null) return false
  return addresses.some((address) => sameAddress(parseAddress(address)!, peer))
}

const connectTimeout = ({ connectTimeoutMs }: ConnectorOptions): ExchangeFailure =>
  new ExchangeFailure('connect_timeout', `no connection within ${formatDuration(connectTimeoutMs)}`)

const tlsFailed = (error: unknown): ExchangeFailure =>
  new ExchangeFailure('tls_failed', wordsOf(error))

function connectFailed(error: unknown): ExchangeFailure {
  return new ExchangeFailure('connect_failed', wordsOf(error))
}

/** When none of several addresses can be reached, that is one error without words. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  return messageOf(error)
}
