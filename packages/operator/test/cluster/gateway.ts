import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PlaneAccess } from '../../../../tools/kube/index.ts'

/** A request as it passed by. */
export interface PassedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  /** When it came, in milliseconds since 1970. */
  readonly at: number
  /** Null while there is no answer. */
  status: number | null
}

/**
 * Stands between a controller and its API server. It sees each request as it was sent, which the
 * server can't show: that has dropped what it does not know. And it can cut the line.
 */
export class Gateway {
  readonly requests: PassedRequest[] = []
  readonly url: string
  readonly #server: Server
  readonly #target: string
  readonly #agent: Agent
  #isMute = false

  private constructor(server: Server, { server: target, address }: PlaneAccess) {
    this.#server = server
    this.#target = target
    this.#agent = new Agent({ ca: address.ca, keepAlive: true })
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (incoming, response) => void this.#pass(incoming, response))
  }

  static async open(plane: PlaneAccess): Promise<Gateway> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Gateway(server, plane)
  }

  /** Requests that change something, leases not counted. */
  get writes(): PassedRequest[] {
    return this.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'))
  }

  /** All connections end at once: watches, and requests whose answers are on their way. */
  cut(): void {
    this.#server.closeAllConnections()
  }

  /** From now on requests are taken and never answered, as by a server that hangs. */
  mute(): void {
    this.#isMute = true
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    this.#agent.destroy()
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming).catch(() => null)
    if (body === null) return
    const { method = '', url: path = '' } = incoming
    const { host, connection, ...headers } = incoming.headers
    const passed: PassedRequest = { method, path, body, at: Date.now(), status: null }
    this.requests.push(passed)
    if (this.#isMute) return
    const options = { method, headers, agent: this.#agent }
    const sent = request(`${this.#target}${path}`, options, (answer) => {
      passed.status = answer.statusCode!
      response.writeHead(answer.statusCode!, answer.headers)
      // At once: a watch that has nothing to tell yet has begun all the same.
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    // A server that is gone answers nothing, and neither do we.
    sent.on('error', () => response.destroy())
    response.on('close', () => sent.destroy())
    sent.end(body === '' ? undefined : body)
  }
}
