import type { Socket } from 'node:net'

const startOfLine = 'HTTP/1.'
/** `HTTP/1.1 100`: as much of a response as tells whether another one follows it. */
const statusBytes = 12
const endOfHead = '\r\n\r\n'

/**
 * Leaves interim responses (1xx) out of what is read from a socket. Nobody asks for them here, and
 * servers send them all the same: a client must be able to parse them (RFC 9110, 15.2), but ours
 * gives up the connection on `100 Continue`. 101 is none of them: what follows it is not HTTP.
 *
 * The client reads by `read()` alone, so that is where bytes are looked at: from the start of each
 * exchange to the status of the response that counts, and no further.
 */
export class InterimResponses {
  /** What came of a status line so far; null beyond the status. */
  #start: Buffer | null = null
  /** Within the head of one, the bytes of its end that were met; null outside. */
  #ending: number | null = null

  constructor(socket: Socket) {
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      for (;;) {
        const chunk: Buffer | null = read(size)
        // What is held back of a line that never ends is missed by nobody.
        if (this.#start === null || chunk === null) return chunk
        const left = this.#filtered(chunk)
        if (left.length > 0) return left
      }
    }
    this.expect()
  }

  /** A request is about to be written: what comes next begins with a status line. */
  expect(): void {
    this.#start = Buffer.alloc(0)
    this.#ending = null
  }

  #filtered(chunk: Buffer): Buffer {
    let left = chunk
    while (left.length > 0) {
      if (this.#ending !== null) left = this.#afterHead(left)
      else {
        const start = Buffer.concat([this.#start!, left])
        if (start.length < statusBytes && isStart(start)) {
          this.#start = start
          return Buffer.alloc(0)
        }
        if (!isInterim(start)) {
          this.#start = null
          return start
        }
        this.#ending = 0
        left = start
      }
    }
    return left
  }

  /** What follows the head of an interim response, or nothing while it goes on. */
  #afterHead(chunk: Buffer): Buffer {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!
      if (byte === endOfHead.charCodeAt(this.#ending!)) this.#ending!++
      else this.#ending = byte === endOfHead.charCodeAt(0) ? 1 : 0
      if (this.#ending === endOfHead.length) {
        this.expect()
        return chunk.subarray(index + 1)
      }
    }
    return chunk.subarray(chunk.length)
  }
}

function isStart(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, startOfLine.length)
  return bytes.toString('latin1', 0, length) === startOfLine.slice(0, length)
}

const isInterim = (bytes: Buffer): boolean =>
  /^HTTP\/1\.\d 1(?!01)\d\d$/.test(bytes.toString('latin1', 0, statusBytes))
