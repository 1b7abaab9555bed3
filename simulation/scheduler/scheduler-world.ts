import { VirtualClock } from '@kron/runtime/testing'
import {
  createScheduler,
  Duration,
  type Registration,
  type Scheduler,
  type Storage,
  type WhenInUse,
} from '@kron/scheduler'
import type { TraceEvent, TraceOptions } from '@kron/scheduler/testing'
import { Mortality } from '../mortality.js'
import type { Random } from '../random.js'
import type { Happening, Scenario } from './scenario.js'
import { ShadowStorage } from './shadow-storage.js'
import type { WorldTask } from './task-mix.js'

/** What was observed from outside. */
export interface Observation {
  readonly trace: readonly TraceEvent[]
  readonly options: TraceOptions
  /** What no trace can show: starts that were not recorded, and processes that had no right. */
  readonly wrongs: readonly string[]
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** One life of a process with a scheduler in it. */
interface Life {
  readonly mortality: Mortality
  readonly scheduler: Scheduler
  readonly running: Set<string>
  /** Initialized, and not asked to stop. */
  isRunning: boolean
  /** Another process has taken over: it lives on, and nothing that it does counts any more. */
  isTakenOver: boolean
}

/** A process that is about to take over, and how to note that it was called. */
interface Successor {
  readonly life: Life
  readonly noteCall: () => void
}

/** `distort` makes the storage another one than the scheduler thinks. */
export async function observe(
  scenario: Scenario,
  distort: (storage: Storage) => Storage = (storage) => storage,
): Promise<Observation> {
  const world = new SchedulerWorld(scenario, distort)
  await world.pass()
  return world.observation
}

class SchedulerWorld {
  readonly #scenario: Scenario
  readonly #distort: (storage: Storage) => Storage
  readonly #random: Random
  readonly #clock: VirtualClock
  readonly #storage: ShadowStorage
  readonly #trace: TraceEvent[] = []
  readonly #down: (readonly [number, number])[] = []
  readonly #stoppers = new Set<string>()
  readonly #wrongs: string[] = []
  /** From when on nobody could say what is right. */
  #unclearAt: number | null = null
  #successor: Successor | null = null
  #calls = 0
  #hasJustStepped = false
  #life: Life
  /** Lists of initializations that are under way, and the one that is in the code by now. */
  #underWay: (readonly WorldTask[])[] = []
  #wanted: readonly WorldTask[] = []
  /** A list that was stored by an initialization which did not say so: it is tried again. */
  #doubtful: readonly WorldTask[] | null = null

  constructor(scenario: Scenario, distort: (storage: Storage) => Storage) {
    this.#scenario = scenario
    this.#distort = distort
    this.#random = scenario.random
    this.#clock = new VirtualClock(scenario.startAt, { quietTurns: 0 })
    this.#storage = new ShadowStorage(this.#random, (by) => this.#takenOver(by))
    this.#life = this.#newLife('refuse')
  }

  get observation(): Observation {
    return {
      trace: this.#trace,
      options: {
        timeZone: this.#scenario.timeZone,
        storageDown: this.#down,
        mayOutliveStop: [...this.#stoppers],
        endAt: this.#unclearAt ?? this.#now,
      },
      wrongs: this.#wrongs,
    }
  }

  async pass(): Promise<void> {
    let isOver = false
    const happen = async (): Promise<void> => {
      for (const [afterMs, happening] of this.#scenario.happenings) {
        await this.#clock.sleep(afterMs)
        await this.#happen(happening)
      }
      isOver = true
    }
    const happened = happen()
    // Hangs are bounded, so everything comes to its end some time after the last happening.
    while (!isOver) await this.#clock.advanceBy(600_000)
    await happened
    await this.#clock.advanceBy(600_000)
  }

  get #now(): number {
    return this.#clock.now().getTime()
  }

  #newLife(whenInUse: WhenInUse): Life {
    const mortality = new Mortality()
    const running = new Set<string>()
    const scheduler = createScheduler({
      storage: mortalStorage(this.#distort(this.#storage.of(mortality)), mortality),
      whenInUse,
      timeZone: this.#scenario.timeZone,
      logger: silent,
      clock: {
        now: () => this.#clock.now(),
        sleep: (ms, signal) => mortality.await(this.#clock.sleep(ms, signal)),
      },
    })
    const life = { mortality, scheduler, running, isRunning: false, isTakenOver: false }
    void mortality.died.then(() => this.#noteDeath(life))
    return life
  }

  #noteDeath(life: Life): void {
    if (life.isTakenOver) return
    this.#note({ event: 'Crash', at: this.#now, uncertain: this.#uncertainOf(life) })
  }

  /** Tasks of which a start or an end is about to be recorded, or about to be made. */
  #uncertainOf({ running }: Life): string[] {
    return [...this.#storage.records.values()]
      .filter(({ name, runningInstance }) => (runningInstance !== null) !== running.has(name))
      .map(({ name }) => name)
  }

  #note(event: TraceEvent): void {
    if (this.#unclearAt === null) this.#trace.push(event)
  }

  async #happen(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'initialize':
        void this.#initialize(this.#doubtful ?? happening.tasks)
        break
      case 'initialize-badly':
        this.#initializeBadly(happening.flaw)
        break
      case 'stop':
        this.#stop()
        break
      case 'intrude':
        await this.#intrude()
        break
      case 'take-over':
        await this.#takeOver(happening.tasks)
        break
      case 'crash':
        await this.#crash(happening.boundaries, happening.downMs)
        break
      case 'clock-step':
        this.#stepClock(happening.ms)
        break
      case 'storage-down':
        await this.#loseStorage(happening.ms)
    }
  }

  async #initialize(tasks: readonly WorldTask[], life = this.#life): Promise<void> {
    for (const { name, stops } of tasks) if (stops) this.#stoppers.add(name)
    const registrations = tasks.map((task) => this.#registration(task, life))
    this.#wanted = tasks
    this.#underWay.push(tasks)
    this.#storage.hasLied = false
    const isDone = await this.#callInitialize(life, registrations, tasks, true)
    if (isDone === null) return
    this.#underWay = this.#underWay.filter((other) => other !== tasks)
    if (isDone) this.#doubtful = null
    else if (this.#storage.hasLied) this.#doubtful = tasks
  }

  /** Asks first, so it must be refused; it uses no name of a task that is anybody's. */
  async #intrude(): Promise<void> {
    if (!this.#life.isRunning || this.#storage.isDown) return
    const owner = this.#life
    const intruder = this.#newLife('refuse')
    const nothing = async (): Promise<void> => undefined
    const outcome = await intruder.scheduler
      .initialize([['intruder', '* * * * *', nothing, Duration.minutes(1)]])
      .then(
        () => 'let in',
        (error: Error) => error.name,
      )
    // The owner may have stopped by itself in the meantime.
    const isOwned = owner === this.#life && owner.isRunning
    if (outcome === 'let in' && isOwned) this.#wrongs.push('a process was let in beside the owner')
    else if (outcome === 'let in') this.#unclearAt ??= this.#now
    intruder.isTakenOver = true
    intruder.mortality.die()
  }

  /** Only where it can be said what is recorded of the runs of the living one. */
  async #takeOver(tasks: readonly WorldTask[]): Promise<void> {
    const isClear = this.#underWay.length === 0 && this.#doubtful === null && !this.#storage.isDown
    if (!this.#life.isRunning || !isClear || this.#uncertainOf(this.#life).length > 0) return
    await this.#initialize(tasks, this.#newLife('takeOver'))
  }

  /** The successor is about to write: from here on the living one has lost the storage. */
  #takenOver(by: Mortality): void {
    const [living, successor] = [this.#life, this.#successor]
    if (successor?.life.mortality !== by) return
    if (this.#uncertainOf(living).length > 0) this.#unclearAt ??= this.#now
    this.#note({ event: 'Crash', at: this.#now, elsewhere: [...living.running] })
    this.#succeed(successor)
  }

  #succeed({ life, noteCall }: Successor): void {
    this.#life.isTakenOver = true
    this.#life = life
    this.#successor = null
    noteCall()
  }

  #initializeBadly(flaw: 'duplicate' | 'expression' | 'delay'): void {
    const nothing = async (): Promise<void> => undefined
    const good: Registration = ['t0', '* * * * *', nothing, Duration.minutes(1)]
    const bad: Registration[] = {
      duplicate: [good, good],
      expression: [good, ['t1', '*/5 * * * *', nothing, Duration.minutes(1)] as Registration],
      delay: [['t0', '* * * * *', nothing, Duration.minutes(-1)] as Registration],
    }[flaw]
    void this.#callInitialize(this.#life, bad, [], false)
  }

  /** Whether it is done; null when its process died before. */
  async #callInitialize(
    life: Life,
    registrations: readonly Registration[],
    tasks: readonly WorldTask[],
    valid: boolean,
  ): Promise<boolean | null> {
    const { mortality, scheduler } = life
    const call = ++this.#calls
    const noteCall = (): void => this.#note({ event: 'IS', at: this.#now, call, tasks, valid })
    // Of two processes the trace knows the one that counts, so a successor is heard of when it is it.
    if (life === this.#life) noteCall()
    else this.#successor = { life, noteCall }
    const error = await scheduler.initialize(registrations).then(
      () => null,
      (reason: Error) => reason,
    )
    if (mortality.isDead) return null
    // Nobody lived any more when it came.
    if (this.#successor?.life === life) this.#succeed(this.#successor)
    if (error === null) {
      life.isRunning = true
      this.#note({ event: 'IEs', at: this.#now, call })
      return true
    }
    const excused = error.name === 'StorageError' ? ({ excused: true } as const) : {}
    this.#note({ event: 'IEf', at: this.#now, call, ...excused })
    return false
  }

  #stop(): void {
    void this.#callStop(this.#life)
  }

  async #callStop(life: Life): Promise<void> {
    const call = ++this.#calls
    life.isRunning = false
    this.#note({ event: 'SS', at: this.#now, call })
    await life.scheduler.stop()
    if (!isGone(life)) this.#note({ event: 'SE', at: this.#now, call })
  }

  /** Dies now, or some effects later if there are so many; a new process starts in its place. */
  async #crash(boundaries: number, downMs: number): Promise<void> {
    const { mortality } = this.#life
    if (boundaries === 0) mortality.die()
    else mortality.dieIn(boundaries)
    await Promise.race([mortality.died, this.#clock.sleep(20 * 60_000)])
    mortality.die()
    await mortality.died
    this.#doubtful = this.#underWay[0] ?? this.#doubtful
    this.#underWay = []
    await this.#clock.sleep(downMs)
    this.#life = this.#newLife('refuse')
    void this.#initialize(this.#doubtful ?? this.#wanted)
  }

  #stepClock(ms: number): void {
    // A step during an outage would make it hard to say how long that lasted, and of two steps
    // within a minute a scheduler that is asleep sees only what they come to.
    if (this.#storage.isDown || this.#hasJustStepped) return
    this.#hasJustStepped = true
    void this.#clock.sleep(120_000).then(() => {
      this.#hasJustStepped = false
    })
    const at = this.#now
    this.#clock.step(ms)
    this.#note({ event: 'ClockStep', at, to: this.#now })
  }

  async #loseStorage(ms: number): Promise<void> {
    const from = this.#now
    this.#storage.isDown = true
    await this.#clock.sleep(ms)
    this.#storage.isDown = false
    this.#down.push([from, this.#now])
  }

  #registration(task: WorldTask, life: Life): Registration {
    const { name, expression, retryDelayMs } = task
    const callback = async (): Promise<void> => {
      const { mortality, running } = life
      if (mortality.isDead) return
      if (life.isTakenOver) this.#wrongs.push(`${name} was started by a process without storage`)
      if (!this.#isRecorded(name)) this.#wrongs.push(`${name} was started without a record of it`)
      this.#note({ event: 'RS', at: this.#now, task: name })
      running.add(name)
      const succeeds = await this.#work(task, life)
      if (mortality.isDead) await new Promise(() => undefined)
      running.delete(name)
      if (isGone(life)) return
      this.#note({ event: succeeds ? 'REs' : 'REf', at: this.#now, task: name })
      if (!succeeds) throw new Error('failed')
    }
    return [name, expression, callback, Duration.ms(retryDelayMs)]
  }

  #isRecorded(name: string): boolean {
    const record = this.#storage.records.get(name)
    return record !== undefined && record.runningInstance !== null
  }

  /** Some time passes; answers whether it went well. */
  async #work({ stops }: WorldTask, life: Life): Promise<boolean> {
    const random = this.#random
    const lastsMs = random.pick([0, 0, 0, 0, 1000, 30_000, 61_000, 20 * 60_000, 3 * 3_600_000])
    if (lastsMs > 0) await this.#clock.sleep(lastsMs)
    if (stops && random.chance(0.3) && !isGone(life)) await this.#callStop(life)
    return random.chance(0.7)
  }
}

/** Whether what it does counts no more, because it is dead or was taken over. */
const isGone = ({ mortality, isTakenOver }: Life): boolean => mortality.isDead || isTakenOver

/** Dying at any await of the scheduler: before and after each effect on the storage. */
function mortalStorage(storage: Storage, life: Mortality): Storage {
  return {
    open: () => life.act('open', () => storage.open()),
    own: (whenInUse) => life.act('own', () => storage.own!(whenInUse)),
    change: (decide) => life.act('change', () => storage.change(decide)),
    save: (...args) => life.act('save', () => storage.save(...args)),
    close: () => life.act('close', () => storage.close()),
  }
}
