import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a database that can go silent as networks do: nothing is refused, and nothing comes. */
export class DatabaseLink {
  readonly #database: URL
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #links: { isSilent: boolean }[] = []
  #lastWords: string | null = null

  private constructor(database: string) {
    this.#database = new URL(database)
    this.#server = createServer((client) => this.#join(client))
  }

  static async to(database: string): Promise<DatabaseLink> {
    const link = new DatabaseLink(database)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get url(): string {
    const url = new URL(this.#database)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Of the connections that there are. New ones work. */
  silence(): void {
    for (const link of this.#links) link.isSilent = true
    this.#links = []
  }

  /** The first that says so is heard no more, and with it all others. */
  silenceAt(lastWords: string): void {
    this.#lastWords = lastWords
  }

  /** Breaks all connections. New ones work. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const database = connect(Number(this.#database.port), this.#database.hostname)
    const link = { isSilent: false }
    this.#links.push(link)
    client.on('data', (bytes) => {
      if (this.#lastWords !== null && bytes.includes(this.#lastWords)) {
        this.#lastWords = null
        this.silence()
      }
      if (!link.isSilent) database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (!link.isSilent) client.write(bytes)
    })
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        if (!link.isSilent) other.destroy()
      })
    }
  }
}
