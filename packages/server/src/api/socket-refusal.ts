import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../domain/index.js'
import { ApiError, type ProblemAnswer, problemOf } from './problem.js'

const parserProblems: Readonly<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: new ApiError('headers_too_large', 'Send fewer or shorter headers.'),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError('request_timeout', 'The request took too long to arrive.'),
}
const otherParserProblem = new ApiError('request_invalid', 'This is not an HTTP/1.1 request.')
const urlInvalid = new ApiError('request_invalid', 'The URL is not valid.')

/** How long a refused client may take to read why, before its connection is closed. */
const lingerMs = 2_000

/** What Node's parser refused never came to the app; the socket itself has to be answered. */
export function refuseSocket(socket: Socket, code: string | undefined, now: Date): void {
  const { problem, headers } = refusal(parserProblems[code ?? ''] ?? otherParserProblem, now)
  const body = JSON.stringify(problem)
  const lines = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${problem.requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.setTimeout(lingerMs, () => socket.destroy())
}

/** The app can't be given this request. What may follow on the connection is not looked at. */
export function refuseRequest(answer: ServerResponse, error: ApiError, now: Date): void {
  const { problem, headers } = refusal(error, now)
  const body = JSON.stringify(problem)
  answer.writeHead(problem.status, {
    ...headers,
    'x-request-id': problem.requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  answer.end(body)
}

/** For a request line or a Host header that do not form a URL. */
export function refuseUrl(now: Date): Response {
  const { problem, headers } = refusal(urlInvalid, now)
  const all = { ...headers, 'x-request-id': problem.requestId }
  return new Response(JSON.stringify(problem), { status: problem.status, headers: all })
}

function refusal(error: ApiError, now: Date): ProblemAnswer {
  return problemOf(error, newId('req', now.getTime()))
}
