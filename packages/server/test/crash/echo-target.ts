import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, by the target's own clock. */
export interface Arrival {
  readonly runId: string
  readonly at: number
}

/** Where all requests go: it writes down what arrived, and answers. */
export class EchoTarget {
  readonly arrivals: Arrival[] = []
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.arrivals.push({ runId: String(request.headers['kron-run-id']), at: Date.now() })
      request.resume()
      response.end('ok')
    })
  }

  static async open(): Promise<EchoTarget> {
    const target = new EchoTarget()
    await new Promise<void>((resolve) => target.#server.listen(0, '127.0.0.1', resolve))
    return target
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
