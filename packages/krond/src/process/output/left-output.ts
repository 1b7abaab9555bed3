import { createReadStream, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { OnLine } from '../processes.js'
import { CapturedStream, type Drainable, type Flow } from './captured-stream.js'
import type { OutputSlot } from './output-slot.js'
import { StreamLines, type StreamName } from './stream-lines.js'

const pieceBytes = 1024

/** A stream of an execution that a former daemon started: what its guard read, and the pipe. */
export class LeftOutput implements Drainable {
  readonly #slot: OutputSlot
  readonly #stream: StreamName
  readonly #spool: string | null
  readonly #captured: CapturedStream
  readonly #done = Promise.withResolvers<void>()
  #isResumed = false
  #isSpooling = false

  private constructor(slot: OutputSlot, stream: StreamName, spool: string | null, flow: Flow) {
    this.#slot = slot
    this.#stream = stream
    this.#spool = spool
    this.#captured = new CapturedStream(slot.readLeft(stream), flow)
  }

  /** null when the execution had no such pipe. */
  static find(
    slot: OutputSlot,
    stream: StreamName,
    files: ReadonlySet<string>,
    flow: Flow,
  ): LeftOutput | null {
    const has = (kind: 'pipe' | 'spool') => files.has(basename(slot.pathOf(stream, kind)))
    if (!has('pipe')) return null
    return new LeftOutput(slot, stream, has('spool') ? slot.pathOf(stream, 'spool') : null, flow)
  }

  get isResumed(): boolean {
    return this.#isResumed
  }

  get ended(): Promise<void> {
    return this.#done.promise
  }

  get isWaiting(): boolean {
    return this.#isSpooling || this.#captured.isWaiting
  }

  resume(onLine: OnLine, flow: Flow): void {
    this.#isResumed = true
    const lines = new StreamLines((line) => onLine(this.#stream, line))
    void this.#deliver(lines, flow).finally(this.#done.resolve)
  }

  detach(): void {
    this.#captured.detach()
  }

  discard(): void {
    this.detach()
    if (this.#spool !== null) rmSync(this.#spool, { force: true })
  }

  /** One splitter for both, so that a line which the guard had begun to read is whole. */
  async #deliver(lines: StreamLines, flow: Flow): Promise<void> {
    // Its file would be another's if the slot were free before all of it was read.
    this.#slot.take()
    if (this.#spool !== null) await this.#deliverSpool(this.#spool, lines, flow)
    this.#slot.give()
    this.#captured.deliver(lines)
    await this.#captured.ended
  }

  /** Removed when all of it was logged: dying before that has it logged twice, but not lost. */
  async #deliverSpool(path: string, lines: StreamLines, flow: Flow): Promise<void> {
    this.#isSpooling = true
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
        if (!flow.hasRoom) await flow.room()
        lines.push(chunk as Buffer)
      }
      rmSync(path, { force: true })
    } catch {
      // A disk that can't be read any more: what comes through the pipe is worth more.
    }
    this.#isSpooling = false
  }
}
