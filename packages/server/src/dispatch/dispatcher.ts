import { quote, ValidationError } from '@kron/core'
import { ConnectionPool } from './connection-pool.js'
import type { ExchangeRequest, ExchangeResult } from './exchange.js'
import type { AddressGuard } from './guard/index.js'
import { type ExchangeContext, LiveExchange } from './live-exchange.js'
import { type NameFiles, type Resolver, SystemNames, sharedLookUps } from './names/index.js'
import type { Stop } from './stop.js'

export interface DispatcherOptions {
  readonly addressGuard: AddressGuard
  /** Instead of what this machine knows of names. */
  readonly resolve?: Resolver
  /** Instead of the files in which this machine says what it knows of names. */
  readonly nameFiles?: NameFiles
  /** Over all origins, used or not. */
  readonly maxConnections?: number
  readonly maxConnectionsPerOrigin?: number
  /** For DNS, TCP and TLS together, within the time limit of the exchange. */
  readonly connectTimeoutMs?: number
  readonly userAgent?: string
  /** PEM certificates to trust instead of those that Node.js trusts. */
  readonly certificateAuthorities?: readonly string[]
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface Dispatcher {
  /** Never rejects: whatever goes wrong is in the result. */
  send(request: ExchangeRequest, stop: Stop): Promise<ExchangeResult>
  /** Exchanges that are in line for a connection. */
  readonly waiting: number
  /** Cancels what is under way; later calls to `send` are cancelled too. */
  close(): Promise<void>
}

/**
 * Sends HTTP/1.1 requests over kept connections. Variables of the environment that name proxies
 * are not looked at: a proxy would connect to what this process may not.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { addressGuard, now } = options
  const names = new SystemNames(now, options.nameFiles)
  const pool = new ConnectionPool({
    connector: {
      guard: addressGuard,
      resolve: sharedLookUps(options.resolve ?? names.resolve, now),
      connectTimeoutMs: atLeastOne(options.connectTimeoutMs ?? 10_000, 'connectTimeoutMs'),
      certificateAuthorities: options.certificateAuthorities ?? null,
    },
    maxConnections: atLeastOne(options.maxConnections ?? 512, 'maxConnections'),
    maxConnectionsPerOrigin: atLeastOne(
      options.maxConnectionsPerOrigin ?? 64,
      'maxConnectionsPerOrigin',
    ),
    now,
  })
  const context: ExchangeContext = {
    pool,
    live: new Set(),
    userAgent: options.userAgent ?? 'Kron',
    now,
  }
  let closed: Promise<void> | null = null
  return {
    get waiting() {
      return pool.waiting
    },
    send(request, stop) {
      return new Promise((resolve) => {
        const exchange = new LiveExchange(context, request, stop, resolve)
        if (closed === null) exchange.start()
        else exchange.cancel()
      })
    },
    close() {
      closed ??= closeAll(context)
      names.close()
      return closed
    },
  }
}

function closeAll({ pool, live }: ExchangeContext): Promise<void> {
  const closed = pool.close()
  for (const exchange of [...live]) exchange.cancel()
  return closed
}

function atLeastOne(value: number, field: string): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new ValidationError(
    'KRON_FIELD_INVALID',
    `${field} must be a whole number, one or more, got ${quote(value)}`,
    { field, value, allowed: 'a whole number, one or more' },
  )
}
