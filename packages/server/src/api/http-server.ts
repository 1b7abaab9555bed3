import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Clock } from '@kron/runtime'
import type { ApiEnv } from './api-ports.js'
import { ApiError } from './problem.js'
import { refuseRequest, refuseSocket, refuseUrl } from './socket-refusal.js'

export interface HttpServerOptions {
  readonly port: number
  readonly host?: string
  /** By which requests are numbered that never come to the app. */
  readonly clock: Clock
  /** Until the headers have arrived. */
  readonly headersTimeoutMs?: number
  /** Until the whole request has arrived. */
  readonly requestTimeoutMs?: number
  readonly keepAliveTimeoutMs?: number
  /** For how long a client may read nothing of an answer that waits for it. */
  readonly stalledMs?: number
  /** More are closed as they come. */
  readonly maxConnections?: number
  readonly maxHeaderBytes?: number
  /** How often connections are looked at for the time they take. */
  readonly checkIntervalMs?: number
  /** How long requests under way have when the server closes. */
  readonly graceMs?: number
}

export interface HttpServer {
  readonly port: number
  readonly url: string
  /** Takes no new connections, lets requests under way end, and then cuts off what is left. */
  close(): Promise<void>
}

/** Serves an app over HTTP. Clients that are slow to send or to read are cut off. */
export async function serveApi(
  app: OpenAPIHono<ApiEnv>,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { clock, host = '127.0.0.1', graceMs = 10_000 } = options
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // Of HTTP/1.0, which need not say for which host it asks.
    hostname: 'localhost',
    errorHandler: () => refuseUrl(clock.now()),
  })
  const server = serverWith(options)
  const underWay = new AnswersUnderWay()
  const follow = (answer: ServerResponse): void => {
    underWay.add(answer)
    answer.on('timeout', () => cutOffReader(answer))
    answer.once('close', () => letGo(server))
  }
  server.on('request', (incoming, answer) => {
    follow(answer)
    if (lacksHost(incoming)) refuseRequest(answer, hostMissing, clock.now())
    else void listener(incoming, answer)
  })
  server.on('checkExpectation', (_, answer) => {
    follow(answer)
    refuseRequest(answer, expectationUnknown, clock.now())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (underWay.giveUp(socket)) refuseSocket(socket, error.code, clock.now())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { port, url: `http://${name}:${port}`, close: () => close(server, graceMs) }
}

const hostMissing = new ApiError('request_invalid', 'HTTP/1.1 needs the header Host.')
const expectationUnknown = new ApiError(
  'expectation_failed',
  'Only the expectation 100-continue is supported.',
)

/** Node would refuse it itself, but not as a problem, and HTTP/1.0 as well. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && headers.host === undefined
}

/** Nothing was sent for a while. If something waits to be, nobody reads, and it would be kept. */
function cutOffReader({ req }: ServerResponse): void {
  if (req.socket.writableLength > 0) req.socket.destroy()
}

/** A connection that comes to rest while the server closes would keep it open for a minute. */
function letGo(server: Server): void {
  if (!server.listening) setImmediate(() => server.closeIdleConnections())
}

function serverWith(options: HttpServerOptions): Server {
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: options.checkIntervalMs ?? 1_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    requireHostHeader: false,
  })
  server.timeout = options.stalledMs ?? 30_000
  server.maxConnections = options.maxConnections ?? 4_096
  return server
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cutOff)
}

/** The answers that each connection still waits for. */
class AnswersUnderWay {
  readonly #answers = new WeakMap<Socket, Set<ServerResponse>>()

  add(answer: ServerResponse): void {
    const { socket } = answer.req
    const answers = this.#answers.get(socket) ?? new Set()
    this.#answers.set(socket, answers.add(answer))
    answer.once('close', () => answers.delete(answer))
  }

  /**
   * Takes no more requests from a connection that sends what nobody can read. True when nothing
   * is being said on it, so that the flaw itself can be answered; otherwise answers to requests
   * that came whole end first, and one that is sent piece by piece is cut off: what is written
   * between its pieces would be taken for a part of it.
   */
  giveUp(socket: Socket): boolean {
    const answers = [...(this.#answers.get(socket) ?? [])]
    const open = answers.filter((answer) => answer.headersSent || answer.req.complete)
    if (open.length === 0) return true
    if (open.some((answer) => answer.headersSent && !answer.writableEnded)) socket.destroy()
    else void Promise.all(open.map(closed)).then(() => socket.destroySoon())
    return false
  }
}

function closed(answer: ServerResponse): Promise<void> {
  return new Promise((resolve) => void answer.once('close', resolve))
}
