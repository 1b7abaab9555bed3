import type { VirtualClock } from '@kron/runtime/testing'
import type { FaultPlan } from '../../packages/krond/testing/disk/faulty-disk.js'
import type { Random } from '../random.js'
import type { Happening, Scenario } from './scenario.js'
import { type Distortion, type Life, stateFolder, VirtualHost } from './virtual-host.js'

/** A service manager starts a daemon again after so long when it failed. */
const restartMs = 5000
const patienceMs = 600_000

/** What is left of a world when it is over. */
export interface Trace {
  readonly lines: readonly string[]
  readonly executed: VirtualHost['executed']
  readonly unrecorded: readonly string[]
  /** Executions for a time at which no daemon had seen the job with that timing. */
  readonly unanswered: readonly string[]
  /** Where in `lines` the world was disturbed, so that plans made before need not hold. */
  readonly disturbances: readonly { readonly line: number; readonly wallMs: number }[]
}

export const undistorted: Distortion = (keeper) => keeper

export async function simulateHost(
  scenario: Scenario,
  distortion: Distortion = undistorted,
): Promise<Trace> {
  const simulation = new HostSimulation(scenario, distortion)
  return simulation.run()
}

class HostSimulation {
  readonly #scenario: Scenario
  readonly #host: VirtualHost
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #disturbances: { line: number; wallMs: number }[] = []
  #jobs: Scenario['jobs']
  #life: Life | null = null
  #downMs = restartMs
  #losesPower = false
  #damage: { path: string; bytes: Uint8Array } | null = null
  #over = false

  constructor(scenario: Scenario, distortion: Distortion) {
    const { startAt, random, maxRunning, jobs } = scenario
    const options = { maxRunning, graceMs: 10_000, historyLength: 3 }
    this.#scenario = scenario
    this.#host = new VirtualHost(startAt, random.fork(), options, distortion)
    this.#clock = this.#host.clock
    this.#random = random
    this.#jobs = jobs
  }

  async run(): Promise<Trace> {
    const { happenings, lengthMs } = this.#scenario
    void this.#supervise()
    let elapsed = 0
    for (const [at, happening] of happenings) {
      await this.#clock.advanceBy(at - elapsed)
      elapsed = at
      this.#disturb()
      this.#happen(happening)
    }
    await this.#clock.advanceBy(lengthMs - elapsed)
    this.#over = true
    this.#disturb()
    if (this.#life !== null) this.#host.bury(this.#life)
    const { lines, executed, unrecorded, unanswered } = this.#host
    return { lines, executed, unrecorded, unanswered, disturbances: this.#disturbances }
  }

  /** Keeps a daemon running, as a service manager does. */
  async #supervise(): Promise<void> {
    while (!this.#over) {
      const life = this.#host.start(this.#jobs)
      this.#life = life
      const inOrder = await Promise.race([life.ended, life.mortality.died.then(() => true)])
      if (this.#over) return
      this.#life = null
      this.#disturb()
      if (this.#losesPower) this.#host.losePower(life)
      else this.#host.bury(life)
      if (!inOrder && this.#refusedState) this.#repair()
      const downMs = this.#downMs
      this.#downMs = restartMs
      this.#losesPower = false
      await this.#clock.sleep(downMs)
    }
  }

  get #refusedState(): boolean {
    return this.#host.lines.at(-1)?.includes('"error_type":"IncompatibleStateError"') ?? false
  }

  /** A daemon that refuses damaged state needs somebody who brings back what was there. */
  #repair(): void {
    if (this.#damage === null) return
    this.#host.disk.plant(this.#damage.path, { bytes: this.#damage.bytes })
    this.#damage = null
  }

  #happen(happening: Happening): void {
    switch (happening.kind) {
      case 'kill':
      case 'power-loss':
        this.#downMs = happening.downMs
        this.#losesPower = happening.kind === 'power-loss'
        this.#life?.mortality.dieIn(happening.boundary)
        return
      case 'stop':
        this.#downMs = happening.downMs
        void this.#stop(happening.killJobs)
        return
      case 'clock-step':
        this.#host.stepClock(happening.ms)
        return
      case 'reload':
        this.#jobs = happening.jobs
        if (this.#life === null) return
        this.#host.sights.see(happening.jobs)
        this.#life.daemon.reload(happening.jobs).catch(() => undefined)
        return
      case 'disk-fault':
        void this.#failDisk(happening.forever, happening.inCalls)
        return
      case 'damaged-file':
        this.#life?.mortality.die()
        this.#damageFile(happening.at)
    }
  }

  async #stop(kill: boolean): Promise<void> {
    const life = this.#life
    if (life === null) return
    void life.daemon.stop({ kill })
    await this.#clock.sleep(patienceMs)
    life.daemon.stopNow()
  }

  async #failDisk(forever: boolean, call: number): Promise<void> {
    const code = this.#random.pick(['EIO', 'ENOSPC', 'EMFILE'] as const)
    const kind = this.#random.pick(['refused', 'done-but-failed', 'short-write'] as const)
    const fault: FaultPlan['fault'] = kind === 'short-write' ? { kind } : { kind, code }
    this.#host.diskFault = { fault, call, forever }
    await this.#clock.sleep(this.#random.between(60_000, 3_600_000))
    this.#host.diskFault = null
  }

  /** Flips a bit of a state file, or cuts it off. */
  #damageFile(at: number): void {
    const { disk } = this.#host
    if (disk.inspect(stateFolder) === null) return
    const names = disk.list(stateFolder).filter((name) => name.endsWith('.json'))
    if (names.length === 0) return
    const path = `${stateFolder}/${this.#random.pick(names)}`
    const bytes = disk.read(path)
    const index = Math.floor(at * bytes.length)
    const damaged = this.#random.chance(0.5) ? bytes.slice(0, index) : bytes.slice()
    if (index < damaged.length) damaged[index]! ^= 1 << this.#random.between(0, 7)
    this.#damage = { path, bytes }
    disk.plant(path, { bytes: damaged })
  }

  #disturb(): void {
    const wallMs = this.#clock.now().getTime()
    this.#disturbances.push({ line: this.#host.lines.length, wallMs })
  }
}
