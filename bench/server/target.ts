/**
 * Where all requests go: a process of its own that notes when each arrives, and answers. It speaks
 * as much HTTP as that takes, so that it is not what limits who is measured.
 */
import { createServer, type Socket } from 'node:net'

export type Order = { readonly reset: number } | 'log'

export interface Arrivals {
  /** When each run's first request arrived, in ms since the epoch; NaN: not at all. */
  readonly at: Float64Array
  readonly requests: number
}

export type Message = { readonly url: string } | { readonly log: Arrivals }

const body = '{"ok":true}'
const answer = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  'Connection: keep-alive',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

const path = '/run/'
const headEnd = Buffer.from('\r\n\r\n')

let at = new Float64Array(0)
let requests = 0

const tell = (message: Message): void => void process.send!(message)

function note(id: number): void {
  requests++
  if (!Number.isNaN(at[id] ?? 0)) return
  at[id] = performance.timeOrigin + performance.now()
}

function lengthOfBody(head: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
}

function serve(socket: Socket): void {
  let unread: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (piece) => {
    unread = unread.length === 0 ? piece : Buffer.concat([unread, piece])
    for (let end = unread.indexOf(headEnd); end !== -1; end = unread.indexOf(headEnd)) {
      const head = unread.toString('latin1', 0, end)
      const next = end + headEnd.length + lengthOfBody(head)
      if (unread.length < next) return
      const from = head.indexOf(path) + path.length
      note(Number(head.slice(from, head.indexOf(' ', from))))
      socket.write(answer)
      unread = unread.subarray(next)
    }
  })
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  tell({ url: `http://127.0.0.1:${address.port}${path}` })
})

process.on('message', (order: Order) => {
  if (order === 'log') tell({ log: { at, requests } })
  else {
    at = new Float64Array(order.reset).fill(Number.NaN)
    requests = 0
  }
})
process.once('disconnect', () => process.exit())
