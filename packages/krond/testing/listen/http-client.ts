import { type IncomingHttpHeaders, request } from 'node:http'
import type { Listener } from '@kron/runtime/listen'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Asks a listener by its address, with any method, path and headers. */
export async function ask({ address }: Listener, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {} } = asked
  const unix = address.startsWith('unix:')
  const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? []
  const where = unix
    ? { socketPath: address.slice('unix:'.length) }
    : { host: host!.replace(/[[\]]/g, ''), port: Number(port) }
  return await new Promise((resolve, reject) => {
    const sent = request({ ...where, path, method, headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        body += piece
      })
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, body })
      })
    })
    sent.on('error', reject)
    sent.end(asked.body)
  })
}
