import { Client, type Dispatcher } from 'undici'
import { ConnectionAttempt, type ConnectorOptions } from './connector.js'
import { ExchangeFailure } from './exchange-failure.js'
import { InterimResponses } from './interim-responses.js'
import type { Message } from './message.js'
import type { Target } from './target.js'

/**
 * Servers close connections that nobody uses, the hasty ones after two seconds. A request that is
 * written just then fails, and it can not be sent again, since it may have arrived.
 */
export const longestIdleMs = 1_500

const maxHeaderBytes = 16 * 1024

/**
 * One connection to one origin, for one exchange at a time. When the server closes it after an
 * answer, the next exchange opens it again, with all checks.
 */
export class Connection {
  readonly target: Target
  /** When the socket was opened; of no meaning before. */
  openedAt = 0
  /** When the last exchange ended, null while there is one. */
  idleSince: number | null = null
  readonly #client: Client
  #attempt: ConnectionAttempt | null = null
  /** Of the present socket. */
  #interim: InterimResponses | null = null
  /** Of the exchange that was written last, which is the one that a connection is opened for. */
  #tenantId = ''

  constructor(
    target: Target,
    connector: ConnectorOptions,
    now: () => number,
    closed: (connection: Connection) => void,
  ) {
    this.target = target
    this.#client = new Client(target.origin, {
      connect: (_options, callback) => {
        this.#attempt = new ConnectionAttempt(
          connector,
          target,
          this.#tenantId,
          (failure, socket) => {
            this.#attempt = null
            this.openedAt = now()
            if (socket === null) callback(failure!, null)
            else {
              this.#interim = new InterimResponses(socket)
              callback(null, socket)
            }
          },
        )
      },
      pipelining: 1,
      allowH2: false,
      // The exchange has one limit for everything, kept elsewhere.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: longestIdleMs,
      keepAliveMaxTimeout: longestIdleMs,
      keepAliveTimeoutThreshold: 1_000,
    })
    this.#client.on('disconnect', () => closed(this))
  }

  write(tenantId: string, message: Message, handler: Dispatcher.DispatchHandler): void {
    const { method, target, headers, body } = message
    this.#tenantId = tenantId
    this.#interim?.expect()
    this.#client.dispatch(
      { method, path: target.path, headers: headers as string[], body },
      handler,
    )
  }

  /** Ends what is under way; its handler is called, unless there is no connection yet. */
  destroy(destroyed: () => void): void {
    this.#attempt?.abort()
    this.#attempt = null
    this.#client.destroy(new ExchangeFailure('cancelled', 'the connection was given up'), destroyed)
  }
}
