import { VirtualClock } from '@kron/runtime'
import {
  createScheduler,
  Duration,
  type Registration,
  type Scheduler,
  type Storage,
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
  /** Starts that were not in the storage when the callback was called. */
  readonly unrecorded: readonly string[]
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** One life of a process with a scheduler in it. */
interface Life {
  readonly mortality: Mortality
  readonly scheduler: Scheduler
  readonly running: Set<string>
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
  readonly #unrecorded: string[] = []
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
    this.#storage = new ShadowStorage(this.#random)
    this.#life = this.#newLife()
  }

  get observation(): Observation {
    return {
      trace: this.#trace,
      options: {
        timeZone: this.#scenario.timeZone,
        storageDown: this.#down,
        mayOutliveStop: [...this.#stoppers],
        endAt: this.#now,
      },
      unrecorded: this.#unrecorded,
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

  #newLife(): Life {
    const mortality = new Mortality()
    const running = new Set<string>()
    const scheduler = createScheduler({
      storage: mortalStorage(this.#distort(this.#storage), mortality),
      timeZone: this.#scenario.timeZone,
      logger: silent,
      clock: {
        now: () => this.#clock.now(),
        sleep: (ms, signal) => mortality.await(this.#clock.sleep(ms, signal)),
      },
    })
    const life = { mortality, scheduler, running }
    void mortality.died.then(() => this.#noteDeath(life))
    return life
  }

  #noteDeath({ running }: Life): void {
    const uncertain = [...this.#storage.records.values()]
      .filter(({ name, runningInstance }) => (runningInstance !== null) !== running.has(name))
      .map(({ name }) => name)
    this.#trace.push({ event: 'Crash', at: this.#now, uncertain })
  }

  async #happen(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'initialize':
        this.#initialize(this.#doubtful ?? happening.tasks)
        break
      case 'initialize-badly':
        this.#initializeBadly(happening.flaw)
        break
      case 'stop':
        this.#stop()
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

  #initialize(tasks: readonly WorldTask[]): void {
    for (const { name, stops } of tasks) if (stops) this.#stoppers.add(name)
    const life = this.#life
    const registrations = tasks.map((task) => this.#registration(task, life))
    this.#wanted = tasks
    this.#underWay.push(tasks)
    this.#storage.hasLied = false
    this.#callInitialize(registrations, tasks, true, (isDone) => {
      this.#underWay = this.#underWay.filter((other) => other !== tasks)
      if (isDone) this.#doubtful = null
      else if (this.#storage.hasLied) this.#doubtful = tasks
    })
  }

  #initializeBadly(flaw: 'duplicate' | 'expression' | 'delay'): void {
    const nothing = async (): Promise<void> => undefined
    const good: Registration = ['t0', '* * * * *', nothing, Duration.minutes(1)]
    const bad: Registration[] = {
      duplicate: [good, good],
      expression: [good, ['t1', '*/5 * * * *', nothing, Duration.minutes(1)] as Registration],
      delay: [['t0', '* * * * *', nothing, Duration.minutes(-1)] as Registration],
    }[flaw]
    this.#callInitialize(bad, [], false)
  }

  #callInitialize(
    registrations: readonly Registration[],
    tasks: readonly WorldTask[],
    valid: boolean,
    settled: (isDone: boolean) => void = () => undefined,
  ): void {
    const { mortality, scheduler } = this.#life
    const call = ++this.#calls
    this.#trace.push({ event: 'IS', at: this.#now, call, tasks, valid })
    scheduler.initialize(registrations).then(
      () => {
        if (mortality.isDead) return
        this.#trace.push({ event: 'IEs', at: this.#now, call })
        settled(true)
      },
      (error: Error) => {
        if (mortality.isDead) return
        const excused = error.name === 'StorageError' ? ({ excused: true } as const) : {}
        this.#trace.push({ event: 'IEf', at: this.#now, call, ...excused })
        settled(false)
      },
    )
  }

  #stop(): void {
    const { mortality, scheduler } = this.#life
    const call = ++this.#calls
    this.#trace.push({ event: 'SS', at: this.#now, call })
    void scheduler.stop().then(() => {
      if (!mortality.isDead) this.#trace.push({ event: 'SE', at: this.#now, call })
    })
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
    this.#life = this.#newLife()
    this.#initialize(this.#doubtful ?? this.#wanted)
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
    this.#trace.push({ event: 'ClockStep', at, to: this.#now })
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
      if (!this.#isRecorded(name)) this.#unrecorded.push(name)
      this.#trace.push({ event: 'RS', at: this.#now, task: name })
      running.add(name)
      const succeeds = await this.#work(task, life)
      if (mortality.isDead) await new Promise(() => undefined)
      running.delete(name)
      this.#trace.push({ event: succeeds ? 'REs' : 'REf', at: this.#now, task: name })
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
    if (stops && random.chance(0.3)) await this.#stopInside(life)
    return random.chance(0.7)
  }

  async #stopInside({ scheduler, mortality }: Life): Promise<void> {
    if (mortality.isDead) return
    const call = ++this.#calls
    this.#trace.push({ event: 'SS', at: this.#now, call })
    await scheduler.stop()
    if (!mortality.isDead) this.#trace.push({ event: 'SE', at: this.#now, call })
  }
}

/** Dying at any await of the scheduler: before and after each effect on the storage. */
function mortalStorage(storage: Storage, life: Mortality): Storage {
  return {
    open: () => life.act('open', () => storage.open()),
    change: (decide) => life.act('change', () => storage.change(decide)),
    save: (...args) => life.act('save', () => storage.save(...args)),
    close: () => life.act('close', () => storage.close()),
  }
}
