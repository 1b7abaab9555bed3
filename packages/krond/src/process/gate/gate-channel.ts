import type { Socket } from 'node:net'

const maxLineCharacters = 4096

/** The lines of a gate, and the answers to it. Nothing here ever rejects: a broken end is an end. */
export class GateChannel {
  readonly #socket: Socket
  readonly #lines: string[] = []
  #begun = ''
  #ended = false
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('error', () => socket.destroy())
    for (const event of ['end', 'close']) socket.on(event, () => this.#end())
  }

  /** The next line; null after the last. One caller at a time. */
  async next(): Promise<string | null> {
    while (this.#lines.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#lines.shift() ?? null
  }

  /** Only as an answer: to write to a gate that has ended would lose what it said at last. */
  send(text: string): void {
    if (!this.#ended) this.#socket.write(text)
  }

  close(): void {
    this.#socket.destroy()
    this.#end()
  }

  #receive(text: string): void {
    const lines = (this.#begun + text).split('\n')
    this.#begun = lines.pop() ?? ''
    this.#lines.push(...lines)
    if (this.#begun.length > maxLineCharacters) this.close()
    this.#wake()
  }

  #end(): void {
    this.#ended = true
    this.#wake()
  }
}
