import type { TraceEvent, TraceTask } from '../../src/testing/trace.js'

const tickMs = 10_000
const minuteMs = 60_000
const start = Date.UTC(2026, 0, 1, 8)

const expressions = [
  '0,5,10,15,20,25,30,35,40,45,50,55 * * * *',
  '7,27,47 * * * *',
  '3,33 * * * *',
  '59 * * * *',
]
const delaysMs = [0, 20_000, 420_000]

export function isDue(expression: string, minute: number): boolean {
  const minutes = expression.split(' ')[0]!.split(',').map(Number)
  return minutes.includes(new Date(minute).getUTCMinutes())
}

export function minutesBetween(after: number, upTo: number): number[] {
  const first = Math.floor(after / minuteMs) + 1
  const count = Math.max(0, Math.floor(upTo / minuteMs) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * minuteMs)
}

/** What is kept of a task, whatever happens to the process. */
interface NaiveRecord extends TraceTask {
  ran: boolean
  lastStart: number
  /** Due minutes that were noticed. */
  pulsed: Set<number>
  owed: boolean
  retryAt: number | null
  failedAt: number
  waitMs: number
  open: boolean
  orphaned: boolean
  /** How often a start that was owed has been put off. */
  putOff: number
}

/** A world that is the same each time for the same seed. */
export interface NaiveOptions {
  readonly seed: number
  readonly ticks: number
  readonly clockSteps: boolean
  readonly crashes: boolean
}

/** A scheduler that looks at every task every ten seconds, and at every single minute. */
class NaiveScheduler {
  readonly trace: TraceEvent[] = []
  readonly #options: NaiveOptions
  readonly #runs = new Map<string, { ticksLeft: number; fails: boolean }>()
  #random: number
  #wall: number
  #records = new Map<string, NaiveRecord>()
  #lastWatched = start
  #state: 'idle' | 'initializing' | 'active' | 'stopping' = 'idle'
  #list: readonly TraceTask[] = []
  #looked = false
  #initializingTicks = 0
  #stopWhenInitialized = false
  #call = 0
  #initializeCall = 0
  #stopCalls: number[] = []

  constructor(options: NaiveOptions) {
    this.#options = options
    this.#random = options.seed
    this.#wall = start + this.#below(tickMs)
  }

  tick(): void {
    this.#wall += tickMs - (this.#wall % tickMs) + this.#below(2000)
    if (this.#options.clockSteps && this.#below(50) === 0) this.#stepClock()
    this.#endRuns()
    if (this.#options.crashes && this.#below(60) === 0) this.#crash()
    else this.#live()
  }

  #live(): void {
    switch (this.#state) {
      case 'idle':
        if (this.#below(5) === 0) this.#callInitialize()
        break
      case 'initializing':
        if (this.#below(20) === 0) this.#refuseInitialize()
        if (!this.#stopWhenInitialized && this.#below(20) === 0) {
          this.#callStop()
          this.#stopWhenInitialized = true
        }
        if (this.#below(2) === 0 || ++this.#initializingTicks > 3) this.#endInitialize()
        break
      case 'active':
        this.#watch(this.#lastWatched, this.#wall)
        if (this.#below(100) === 0) this.#refuseInitialize()
        if (this.#below(80) === 0) {
          this.#callStop()
          this.#state = 'stopping'
        } else this.#startWhatIsOwed()
        break
      case 'stopping':
        if (this.#below(3) === 0) this.#callStop()
        if (this.#runs.size === 0) this.#endStops()
    }
  }

  #callInitialize(): void {
    const names = ['a', 'b', 'c', 'd'].filter(() => this.#below(8) > 0)
    this.#list = names.map((name, index) => ({
      name,
      expression: expressions[this.#below(4) === 0 ? this.#below(4) : index]!,
      retryDelayMs: delaysMs[this.#below(4) === 0 ? this.#below(3) : index % 3]!,
    }))
    this.#state = 'initializing'
    this.#looked = false
    this.#initializingTicks = 0
    this.#initializeCall = ++this.#call
    this.#emit({ event: 'IS', call: this.#call, tasks: this.#list, valid: true })
    if (this.#below(2) === 0) this.#look()
  }

  /** Looks at the clock and keeps the list, at some time during the initialization. */
  #look(): void {
    this.#looked = true
    const kept = new Map<string, NaiveRecord>()
    for (const task of this.#list) {
      const record = this.#records.get(task.name)
      const changed = record?.expression !== task.expression
      if (record?.ran) this.#lookAtKnown({ ...task, record, changed })
      const fresh = record === undefined || !record.ran
      const next = fresh ? newRecord(task) : Object.assign(record, task)
      const minute = this.#wall - (this.#wall % minuteMs)
      if (fresh && isDue(task.expression, minute)) {
        next.owed = true
        next.pulsed.add(minute)
      }
      if (record?.open) next.orphaned = true
      next.open = false
      kept.set(task.name, next)
    }
    this.#records = kept
    this.#lastWatched = this.#wall
  }

  #lookAtKnown(known: {
    readonly expression: string
    readonly record: NaiveRecord
    readonly changed: boolean
  }): void {
    const { expression, record, changed } = known
    const from = changed ? record.lastStart : this.#lastWatched
    const missed = minutesBetween(from, this.#wall).filter((one) => isDue(expression, one))
    if (changed) {
      record.pulsed = new Set()
      record.owed = false
    }
    if (missed.some((minute) => !record.pulsed.has(minute))) record.owed = true
    for (const minute of missed) record.pulsed.add(minute)
  }

  #endInitialize(): void {
    if (!this.#looked) this.#look()
    this.#emit({ event: 'IEs', call: this.#initializeCall })
    this.#state = this.#stopWhenInitialized ? 'stopping' : 'active'
    this.#stopWhenInitialized = false
    if (this.#state === 'active') this.#watch(this.#lastWatched, this.#wall)
  }

  #refuseInitialize(): void {
    const call = ++this.#call
    this.#emit({ event: 'IS', call, tasks: [], valid: true })
    this.#emit({ event: 'IEf', call })
  }

  #watch(from: number, to: number): void {
    for (const record of this.#records.values()) {
      for (const minute of minutesBetween(from, to)) {
        if (!isDue(record.expression, minute) || record.pulsed.has(minute)) continue
        record.pulsed.add(minute)
        record.owed = true
      }
    }
    this.#lastWatched = to
  }

  #startWhatIsOwed(): void {
    for (const record of this.#records.values()) {
      const retries = record.retryAt !== null && record.retryAt <= this.#wall
      if (this.#runs.has(record.name) || !(record.owed || record.orphaned || retries)) continue
      if (record.putOff++ < 3 && this.#below(4) === 0) continue
      this.#emit({ event: 'RS', task: record.name })
      this.#recordStart(record)
      this.#runs.set(record.name, { ticksLeft: this.#below(12), fails: this.#below(3) === 0 })
    }
  }

  #recordStart(record: NaiveRecord): void {
    const lastStart = this.#wall
    const owing = { owed: false, orphaned: false, retryAt: null, putOff: 0 }
    Object.assign(record, owing, { ran: true, open: true, lastStart })
  }

  #endRuns(): void {
    for (const [task, run] of this.#runs) {
      if (run.ticksLeft-- > 0) continue
      this.#runs.delete(task)
      this.#emit({ event: run.fails ? 'REf' : 'REs', task })
      const record = this.#records.get(task)!
      record.open = false
      if (!run.fails) continue
      record.failedAt = this.#wall
      record.waitMs = record.retryDelayMs
      record.retryAt = this.#wall + record.waitMs
    }
  }

  #callStop(): void {
    this.#stopCalls.push(++this.#call)
    this.#emit({ event: 'SS', call: this.#call })
  }

  #endStops(): void {
    for (const call of this.#stopCalls) this.#emit({ event: 'SE', call })
    this.#stopCalls = []
    this.#state = 'idle'
  }

  #crash(): void {
    if (this.#state === 'active') this.#watch(this.#lastWatched, this.#wall)
    const uncertain: string[] = []
    for (const record of this.#records.values()) {
      if (this.#below(4) > 0 || this.#state !== 'active') continue
      uncertain.push(record.name)
      // The record of a start without the start, or of an end that nobody saw.
      if (record.open) record.open = this.#below(2) === 0
      else if (record.owed && this.#below(2) === 0) this.#recordStart(record)
    }
    this.#emit({ event: 'Crash', ...(uncertain.length > 0 ? { uncertain } : {}) })
    this.#runs.clear()
    this.#stopCalls = []
    this.#stopWhenInitialized = false
    this.#state = 'idle'
  }

  #stepClock(): void {
    const before = this.#wall
    const ms = 30_000 + this.#below(2_400_000)
    const to = this.#wall + (this.#below(2) === 0 ? ms : -ms)
    if (this.#state === 'active') this.#watch(this.#lastWatched, before)
    this.#emit({ event: 'ClockStep', to })
    this.#wall = to
    if (to < before) this.#waitAgain()
    if (this.#state !== 'active') return
    const current = to - (to % minuteMs)
    for (const record of this.#records.values()) {
      const passed = to > before ? minutesBetween(before, to) : [current]
      const last = passed.filter((minute) => isDue(record.expression, minute)).at(-1)
      if (last === undefined || record.pulsed.has(last)) continue
      record.pulsed.add(last)
      record.owed = true
    }
    this.#lastWatched = to
  }

  /** Half of all schedulers begin the wait for a retry again. */
  #waitAgain(): void {
    if (this.#options.seed % 2 === 0) return
    for (const record of this.#records.values()) {
      if (record.retryAt === null || this.#wall >= record.failedAt) continue
      record.retryAt = Math.min(record.retryAt, this.#wall + record.waitMs)
    }
  }

  /** One millisecond after the other. */
  #emit(event: Unplaced<TraceEvent>): void {
    this.trace.push({ ...event, at: this.#wall } as TraceEvent)
    if (event.event !== 'ClockStep') this.#wall++
  }

  #below(limit: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#random / 2 ** 32) * limit)
  }
}

type Unplaced<Event> = Event extends TraceEvent ? Omit<Event, 'at'> : never

function newRecord(task: TraceTask): NaiveRecord {
  const history = { ran: false, lastStart: 0, owed: false, retryAt: null, failedAt: 0, waitMs: 0 }
  return { ...task, ...history, pulsed: new Set(), open: false, orphaned: false, putOff: 0 }
}

export function naiveTrace(options: NaiveOptions): TraceEvent[] {
  const scheduler = new NaiveScheduler(options)
  for (let tick = 0; tick < options.ticks; tick++) scheduler.tick()
  return scheduler.trace
}
