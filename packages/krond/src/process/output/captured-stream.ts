import type { Socket } from 'node:net'
import { LineSplitter } from './line-splitter.js'

const mostHeldBytes = 65_536

/**
 * A stream of a gate that becomes a job. What comes is held until it is known whose words they
 * are: the gate's, when it could not become the job, or the job's.
 */
export class CapturedStream {
  readonly ended: Promise<void>
  readonly #socket: Socket
  #held: Buffer[] = []
  #heldBytes = 0
  #lines: LineSplitter | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#lines?.end()
        resolve()
      })
    })
    socket.on('error', () => socket.destroy())
    socket.on('data', this.#onData)
  }

  /** From here on it is the job that writes. */
  deliver(onLine: (line: string) => void): void {
    const lines = new LineSplitter(onLine)
    for (const chunk of this.#held) lines.push(chunk)
    this.#held = []
    if (this.#socket.closed) lines.end()
    else this.#lines = lines
    this.#socket.resume()
  }

  /** What the gate said, read to its end, which `ended` tells. */
  heldText(): string {
    return Buffer.concat(this.#held).toString()
  }

  /**
   * Stops listening to a stream that outlives its job: a process that the job left behind may
   * still write, and must neither block nor keep this process alive.
   */
  detach(): void {
    this.#socket.off('data', this.#onData)
    this.#lines?.end()
    this.#lines = null
    this.#socket.resume()
    this.#socket.unref()
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#lines !== null) {
      this.#lines.push(chunk)
      return
    }
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes > mostHeldBytes) this.#socket.pause()
  }
}
