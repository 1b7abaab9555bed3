import type { Clock } from '../clock/index.js'
import { messageOf } from './failure.js'

/** Where bytes go. Never waits. */
export interface ByteSink {
  /** How many were taken, zero when there is no room just now. Throws when they can't be written. */
  write(bytes: Uint8Array): number
}

/** What was left out of a log, and for how long lines were. */
export interface DroppedLines {
  readonly lines: number
  /** Of the host itself; none of them is in the log between `since` and the word of this. */
  readonly own: number
  readonly since: Date
  readonly until: Date
}

export interface LineOutletOptions {
  readonly sink: ByteSink
  readonly clock: Clock
  /** Told when lines can't be written, once until they can. */
  readonly onTrouble?: (reason: string) => void
  readonly limits?: Partial<OutletLimits>
}

export interface OutletLimits {
  /** `hasRoom` is false beyond. */
  readonly roomBytes: number
  /** Up to here lines of what the host runs are held. */
  readonly foreignBytes: number
  /** Up to here the host's own lines are held: ten thousand jobs that start at once have two each. */
  readonly ownBytes: number
  /** A reader that took nothing for so long is not waited for any more. */
  readonly patienceMs: number
}

const defaultLimits: OutletLimits = {
  roomBytes: 1 << 20,
  foreignBytes: 1 << 22,
  ownBytes: 1 << 25,
  patienceMs: 1000,
}

/** Lines of one turn are written together, but not more than this at once. */
const flushBytes = 65_536
/** Between two attempts: at first, at most, and where something else than room is missing. */
const soonMs = 1
const fullMs = 100
const brokenMs = 1000
const pauseMs = 10
const lastWordsMs = 2000
const doesNotRead = 'its reader does not read'

/** Of the host itself, or of what it runs, which may write without end. */
export type LineKind = 'own' | 'foreign'

/**
 * Lines on their way to a log whose reader may be slow, stuck or gone: nobody waits for it here.
 * Lines of one turn of the event loop are written together: ten thousand jobs that are planned at
 * once are a few writes. What there is no room for is held. Beyond the limits lines are dropped,
 * the host's own ones last; how many is logged as soon as there is room.
 *
 * Who writes much can ask for room first. A reader that is merely slow then slows down those who
 * write; one that does not read at all for a while slows down nobody, and lines are lost.
 */
export class LineOutlet {
  readonly #sink: ByteSink
  readonly #clock: Clock
  readonly #limits: OutletLimits
  readonly #onTrouble: (reason: string) => void
  readonly #waiting: (() => void)[] = []
  #held = ''
  #queue: Uint8Array[] = []
  #queuedBytes = 0
  #isPlanned = false
  #isTrying = false
  #idleMs = 0
  #trouble: string | null = null
  #dropped = 0
  #droppedOwn = 0
  #droppedSince = new Date(0)
  /** Told once lines are written again, and may write a line about it. */
  onDropped: (dropped: DroppedLines) => void = () => {}

  constructor(options: LineOutletOptions) {
    this.#sink = options.sink
    this.#clock = options.clock
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#onTrouble = options.onTrouble ?? (() => {})
  }

  /** Why lines are not written just now; null when they are. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Whether who writes much may go on. */
  get hasRoom(): boolean {
    return this.#size <= this.#limits.roomBytes || this.#trouble !== null
  }

  /** Whether lines of what the host runs would be dropped. */
  get isFull(): boolean {
    return this.#size > this.#limits.foreignBytes
  }

  /** Counts lines that were not even written, since there would be no room for them. */
  drop(lines: number): void {
    if (this.#dropped === 0) this.#droppedSince = this.#clock.now()
    this.#dropped += lines
  }

  /**
   * Once a line of the host is dropped, all are until the log can say so: what is missing is missing
   * in one place, which that word stands in.
   */
  #isDropped(kind: LineKind): boolean {
    const { foreignBytes, ownBytes } = this.#limits
    if (this.#droppedOwn > 0) return true
    return this.#size > (kind === 'own' ? ownBytes : foreignBytes)
  }

  /** Resolves when there is room, or when it makes no sense to wait for it. */
  room(): Promise<void> {
    if (this.hasRoom) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  write(line: string, kind: LineKind = 'own'): void {
    if (this.#isDropped(kind)) {
      this.drop(1)
      if (kind === 'own') this.#droppedOwn++
      return
    }
    this.#held += `${line}\n`
    if (this.#held.length > flushBytes) this.flush()
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.flush()
    })
  }

  /** Writes what there is room for, and comes back for the rest. */
  flush(): void {
    this.#take()
    if (this.#isTrying) return
    if (!this.#push()) void this.#tryAgain()
  }

  /**
   * For the end of the process, where nothing comes back: `pause` blocks for a while. A reader that
   * reads is waited for, one that does not for two seconds.
   */
  finish(pause: (ms: number) => void): void {
    let left = Number.POSITIVE_INFINITY
    for (let waitedMs = 0; waitedMs < lastWordsMs; waitedMs += pauseMs) {
      this.#take()
      // To have written all may have been the occasion to say what was dropped.
      if (this.#push() && this.#held === '') return
      if (this.#trouble !== null && this.#trouble !== doesNotRead) return
      if (this.#queuedBytes < left) waitedMs = 0
      left = this.#queuedBytes
      if (left > 0) pause(pauseMs)
    }
  }

  get #size(): number {
    return this.#held.length + this.#queuedBytes
  }

  #take(): void {
    if (this.#held === '') return
    const bytes = encoder.encode(this.#held)
    this.#held = ''
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
  }

  /** Whether all was written. */
  #push(): boolean {
    try {
      while (this.#queue.length > 0) {
        const [bytes] = this.#queue as [Uint8Array]
        const taken = this.#sink.write(bytes)
        if (taken > 0) this.#works()
        this.#queuedBytes -= taken
        if (taken === bytes.length) this.#queue.shift()
        else if (taken === 0) return false
        else this.#queue[0] = bytes.subarray(taken)
      }
    } catch (error) {
      this.#fails(messageOf(error))
    }
    this.#makeRoom()
    return this.#queue.length === 0
  }

  /** Soon while the reader reads, later and later while it does not. */
  async #tryAgain(): Promise<void> {
    this.#isTrying = true
    while (!this.#push()) {
      const latestMs = this.#trouble === null ? fullMs : brokenMs
      const waitMs = Math.min(latestMs, Math.max(soonMs, this.#idleMs))
      await this.#clock.sleep(waitMs)
      this.#idleMs += waitMs
      const isFull = this.#size > this.#limits.roomBytes
      if (isFull && this.#idleMs >= this.#limits.patienceMs) this.#fails(doesNotRead)
    }
    this.#isTrying = false
  }

  #works(): void {
    this.#idleMs = 0
    this.#trouble = null
  }

  #fails(reason: string): void {
    if (this.#trouble === null) this.#onTrouble(reason)
    this.#trouble = reason
    this.#makeRoom()
  }

  #makeRoom(): void {
    const { roomBytes } = this.#limits
    const hasDropped = this.#dropped > 0 && this.#trouble === null
    if (hasDropped && this.#queuedBytes < roomBytes / 2) {
      const [lines, own] = [this.#dropped, this.#droppedOwn]
      const dropped = { lines, own, since: this.#droppedSince, until: this.#clock.now() }
      this.#dropped = 0
      this.#droppedOwn = 0
      this.onDropped(dropped)
    }
    if (this.#waiting.length === 0 || !this.hasRoom) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

const encoder = new TextEncoder()
