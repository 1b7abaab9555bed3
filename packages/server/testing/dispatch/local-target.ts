import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net'

/** A real server on this machine that counts what reaches it. */
export interface LocalTarget {
  readonly port: number
  readonly url: string
  readonly connections: number
  /** Bytes of requests, for telling a connection from one that was used. */
  readonly bytesRead: number
  close(): Promise<void>
}

export function httpTarget(answer: RequestListener, host = '127.0.0.1'): Promise<LocalTarget> {
  return listen(createServer(answer), host)
}

/** Says whatever it likes, whether or not that is HTTP. */
export function rawTarget(
  connected: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<LocalTarget> {
  return listen(createSocketServer(connected), host)
}

/** Answers each request with the same bytes. */
export function scriptedTarget(response: string): Promise<LocalTarget> {
  return rawTarget((socket) => socket.on('data', () => socket.write(response)))
}

export async function listen(server: Server, host: string, port = 0): Promise<LocalTarget> {
  const sockets = new Set<Socket>()
  let connections = 0
  let bytesRead = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      bytesRead += data.length
    })
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/`,
    get connections() {
      return connections
    },
    get bytesRead() {
      return bytesRead
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
