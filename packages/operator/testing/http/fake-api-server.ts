import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AccessSource } from '../../src/kube/http/credentials.js'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly socket: Socket
}

export type Answer = (request: Received, response: ServerResponse) => void

/** A real server on this machine that says what a test wants. */
export class FakeApiServer {
  readonly requests: Received[] = []
  readonly sockets = new Set<Socket>()
  readonly #server: Server
  readonly #isSecure: boolean

  private constructor(answer: Answer, tls?: ServerOptions) {
    const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: path = '', headers, socket } = incoming
      const request = { method, path, headers, socket, body: await text(incoming) }
      this.requests.push(request)
      answer(request, response)
    }
    this.#isSecure = tls !== undefined
    this.#server = tls ? createSecureServer(tls, listener) : createServer(listener)
    this.#server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => this.sockets.delete(socket))
    })
  }

  static async start(answer: Answer, tls?: ServerOptions): Promise<FakeApiServer> {
    const fake = new FakeApiServer(answer, tls)
    fake.#server.listen(0, '127.0.0.1')
    await once(fake.#server, 'listening')
    return fake
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `${this.#isSecure ? 'https' : 'http'}://127.0.0.1:${this.port}`
  }

  /** Anybody's access to it. */
  get source(): AccessSource {
    const read = async () => ({ headers: {}, tls: {} })
    return { server: this.url, proxyUrl: null, read, forget: () => {} }
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    for (const socket of this.sockets) socket.destroy()
    await once(this.#server, 'close')
  }
}

export function answerJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
