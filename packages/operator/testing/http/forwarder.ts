import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Passes bytes on to a port of this machine, until it is cut. */
export class Forwarder {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1')
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.once('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
      }
    })
  }

  static async to(target: number): Promise<Forwarder> {
    const forwarder = new Forwarder(target)
    forwarder.#server.listen(0, '127.0.0.1')
    await once(forwarder.#server, 'listening')
    return forwarder
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Those that come later are not cut. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}
