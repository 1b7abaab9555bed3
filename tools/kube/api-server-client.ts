import { Agent, request } from 'node:https'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Enough of a client to set a plane up, without the one that is tested. */
export class ApiServerClient {
  readonly #server: string
  readonly #token: string
  readonly #agent: Agent

  constructor(server: string, ca: string, token: string) {
    this.#server = server
    this.#token = token
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 8 })
  }

  send(method: string, path: string, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.#server}${path}`,
        {
          method,
          agent: this.#agent,
          timeout: 30_000,
          headers: {
            authorization: `Bearer ${this.#token}`,
            'content-type':
              method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part: string) => {
            text += part
          })
          response.once('error', reject)
          response.once('end', () => resolve({ status: response.statusCode!, body: text }))
        },
      )
      sent.once('timeout', () => sent.destroy(new Error(`${method} ${path} timed out`)))
      sent.once('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  /** The answer as an object; anything except success is an error with the server's message. */
  async demand<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.send(method, path, body)
    if (answer.status < 300) return JSON.parse(answer.body) as T
    throw new Error(`${method} ${path} gave ${answer.status}: ${answer.body}`)
  }

  close(): void {
    this.#agent.destroy()
  }
}
