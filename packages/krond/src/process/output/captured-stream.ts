import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@kron/runtime'
import { within } from '../time-limit.js'
import type { StreamLines } from './stream-lines.js'

const maxHeldBytes = 65_536

/** So much becomes lines in one turn of the event loop: other work waits there too. */
const pieceBytes = 1024
const lineFeed = 0x0a

/** Where lines go. The reader may be slower than the writer. */
export interface Flow {
  readonly hasRoom: boolean
  /** Resolves when there is room, or when nobody should wait for it. */
  room(): Promise<void>
  /** Whether lines would be dropped; then it is enough to say how many there are. */
  readonly isFull: boolean
  drop(lines: number): void
}

export const endlessFlow: Flow = {
  hasRoom: true,
  room: () => Promise.resolve(),
  isFull: false,
  drop() {},
}

/** Output that is read to its end, or given up. */
export type Drainable = Pick<CapturedStream, 'ended' | 'isWaiting' | 'detach'>

/**
 * A stream of a gate that becomes a job. What comes is held until it is known whose words they
 * are: the gate's, when it could not become the job, or the job's. While there is no room for
 * lines it is not read, so that the job waits as it would for any reader.
 */
export class CapturedStream {
  readonly ended: Promise<void>
  readonly #socket: Socket
  readonly #flow: Flow
  #held: Buffer[] = []
  #heldBytes = 0
  #lines: StreamLines | null = null
  #isWaiting = false
  #passing: Promise<void> = Promise.resolve()

  constructor(socket: Socket, flow: Flow = endlessFlow) {
    this.#socket = socket
    this.#flow = flow
    this.ended = new Promise((resolve) => {
      socket.once('close', async () => {
        await this.#passing
        this.#lines?.end()
        resolve()
      })
    })
    socket.on('error', () => socket.destroy())
    socket.on('data', this.#onData)
  }

  /** Whether lines that were read wait for room. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** From here on it is the job that writes. */
  deliver(lines: StreamLines): void {
    for (const chunk of this.#held) lines.push(chunk)
    this.#held = []
    if (this.#socket.closed) lines.end()
    else this.#lines = lines
    this.#socket.resume()
  }

  /** What the gate said; complete when `ended` has resolved. */
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
    this.#held = []
    this.#socket.resume()
    this.#socket.unref()
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#lines !== null) {
      this.#pass(chunk)
      return
    }
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes > maxHeldBytes) this.#socket.pause()
  }

  #pass(chunk: Buffer): void {
    if (this.#flow.hasRoom && chunk.length <= pieceBytes) this.#passPiece(chunk)
    else this.#passing = this.#passInPieces(chunk)
  }

  /** The stream stands still meanwhile, though Node may find that it has ended. */
  async #passInPieces(chunk: Buffer): Promise<void> {
    this.#socket.pause()
    this.#isWaiting = true
    for (let at = 0; at < chunk.length; ) {
      await (this.#flow.hasRoom ? nextTurn() : this.#flow.room())
      const end = this.#flow.isFull ? chunk.length : at + pieceBytes
      this.#passPiece(chunk.subarray(at, end))
      at = end
    }
    this.#isWaiting = false
    this.#socket.resume()
  }

  #passPiece(piece: Buffer): void {
    if (!this.#flow.isFull) {
      this.#lines?.push(piece)
      return
    }
    // What was begun before the gap is a line of its own, not the beginning of what comes after.
    this.#lines?.end()
    this.#flow.drop(countOf(lineFeed, piece))
  }
}

/**
 * Until streams of a process that is gone are read to their ends. What it left behind may hold them
 * open for ever, and is not waited for; but lines that wait for room are.
 */
export async function drained(
  streams: readonly Drainable[],
  drainMs: number,
  clock: Clock,
): Promise<void> {
  const ends = Promise.all(streams.map(({ ended }) => ended))
  while ((await within(ends, drainMs, clock)) === 'late') {
    if (streams.some(({ isWaiting }) => isWaiting)) continue
    for (const stream of streams) stream.detach()
    return
  }
}

function countOf(byte: number, bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}
