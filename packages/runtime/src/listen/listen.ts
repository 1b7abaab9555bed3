import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { KronError, SystemError } from '@kron/core'
import {
  addressText,
  isAllowedHost,
  isLoopback,
  type ListenAddress,
  parseListenAddress,
} from './listen-address.js'
import { errorReply, type Reply } from './reply.js'
import { clearStaleSocket, restrictSocket, withSocketMode } from './socket-file.js'

export interface Listener {
  /** With the port that was given by the system if it was asked for port 0. */
  readonly address: string
  /** Ends all connections; does nothing the second time. */
  close(): Promise<void>
}

const maxConnections = 64

/** Patience with slow clients; the scheduler shares its process with them. */
const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
} as const

const idleTimeoutMs = 15_000
const maxRequestsPerConnection = 1_000

/** What a GET of a target such as `/jobs?limit=5` is answered with. Never throws. */
export type AnswerTo = (target: string) => Reply

/** Shows a running process over HTTP, read-only, at `host:port` or `unix:/path`. */
export async function listen(address: string, answer: AnswerTo): Promise<Listener> {
  const wanted = parseListenAddress(address)
  const checkHost = wanted.kind === 'tcp' && isLoopback(wanted.host)
  const server = createServer({ ...limits }, handlerOf(answer, checkHost))
  server.maxConnections = maxConnections
  server.maxRequestsPerSocket = maxRequestsPerConnection
  server.timeout = idleTimeoutMs
  try {
    await bind(server, wanted)
  } catch (error) {
    if (error instanceof KronError) throw error
    throw notBound(address, error)
  }
  // A connection that can't be accepted must not end the process.
  server.on('error', () => undefined)
  return { address: boundAddress(server, wanted), close: closing(server) }
}

async function bind(server: Server, wanted: ListenAddress): Promise<void> {
  if (wanted.kind === 'tcp') {
    const { host, port } = wanted
    await bound(server, () => server.listen({ host, port }))
    return
  }
  const { path } = wanted
  await clearStaleSocket(path)
  await bound(server, () => withSocketMode(() => server.listen({ path })))
  restrictSocket(path)
}

async function bound(server: Server, start: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    start()
  })
}

function notBound(address: string, error: unknown): SystemError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const details = { field: '--listen', value: address, reason }
  const words = reasonWords[reason]
  const why = words === undefined ? reason : `${words} (${reason})`
  return new SystemError('KRON_SYSTEM', `can't listen on ${address}: ${why}`, details, {
    cause: error,
  })
}

const reasonWords: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  // Also what Node makes of a missing folder for a socket.
  EACCES: 'not allowed, or the folder is missing',
  ENOTFOUND: 'this host has no address',
}

function boundAddress(server: Server, wanted: ListenAddress): string {
  const actual = server.address()
  if (wanted.kind === 'unix' || actual === null || typeof actual === 'string') {
    return addressText(wanted)
  }
  return addressText({ ...wanted, port: actual.port })
}

function closing(server: Server): () => Promise<void> {
  let closed: Promise<void> | null = null
  return async () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    await closed
  }
}

function handlerOf(answer: AnswerTo, checkHost: boolean): RequestListener {
  return (request, response) => {
    const reply = replyTo(answer, checkHost, request)
    send(response, reply, request.method === 'HEAD')
  }
}

function replyTo(answer: AnswerTo, checkHost: boolean, request: IncomingMessage): Reply {
  const { method, url, headers } = request
  if (checkHost && !isAllowedHost(headers.host)) {
    const message = 'the Host header must be localhost, 127.0.0.1 or [::1]'
    return errorReply(403, 'KRON_REQUEST_INVALID', message)
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const refusal = errorReply(405, 'KRON_REQUEST_INVALID', 'only GET and HEAD are answered')
    // Closed, so that whatever is sent along is not read.
    return { ...refusal, headers: { allow: 'GET, HEAD', connection: 'close' } }
  }
  return answer(url ?? '/')
}

/** Nothing is kept, embedded, guessed or run by a browser. */
const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

function send(response: ServerResponse, reply: Reply, headOnly: boolean): void {
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, {
    ...safeHeaders,
    'content-type': reply.type,
    'content-length': bytes.length,
    ...reply.headers,
  })
  response.end(headOnly ? undefined : bytes)
}
