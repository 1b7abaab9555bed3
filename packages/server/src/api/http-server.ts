import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { newId } from '../domain/index.js'
import type { ApiEnv } from './api-env.js'
import { ApiError, type ProblemAnswer, problemOf } from './problem/index.js'

export interface HttpServerOptions {
  readonly port: number
  readonly host?: string
  /** Until the headers have arrived. */
  readonly headersTimeoutMs?: number
  /** Until the whole request has arrived. */
  readonly requestTimeoutMs?: number
  readonly keepAliveTimeoutMs?: number
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

/** Serves an app over HTTP. Clients that are slow to send are cut off. */
export async function serveApi(
  app: OpenAPIHono<ApiEnv>,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { host = '127.0.0.1', graceMs = 10_000 } = options
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => unreadable(error),
  })
  const server = createServer(serverOptions(options), (incoming, outgoing) => {
    outgoing.once('close', () => letGo(server))
    void listener(incoming, outgoing)
  })
  server.on('clientError', answerClientError)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { port, url: `http://${name}:${port}`, close: () => close(server, graceMs) }
}

/** A connection that comes to rest while the server closes would keep it open for a minute. */
function letGo(server: Server): void {
  if (!server.listening) setImmediate(() => server.closeIdleConnections())
}

function serverOptions(options: HttpServerOptions): ServerOptions {
  return {
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: options.checkIntervalMs ?? 1_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
  }
}

/** A request line or a Host header that no URL can be made of. */
function unreadable(_: unknown): Response {
  const { problem, headers } = refused(new ApiError('request_invalid', 'The URL is not valid.'))
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

const parserProblems: Readonly<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: new ApiError('headers_too_large', 'Send fewer or shorter headers.'),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('request_timeout', 'The request took too long to arrive.'),
}
const otherParserProblem = new ApiError('request_invalid', 'This is not a request of HTTP/1.1.')

/** What Node's parser refused never came to the app; the socket itself has to be answered. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { problem, headers } = refused(parserProblems[error.code ?? ''] ?? otherParserProblem)
  const body = JSON.stringify(problem)
  const lines = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${problem.requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function refused(error: ApiError): ProblemAnswer {
  return problemOf(error, newId('req', Date.now()))
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cutOff)
}
