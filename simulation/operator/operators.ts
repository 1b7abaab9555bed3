import type { VirtualClock } from '@kron/runtime/testing'
import type { KubeApi } from '../../packages/operator/src/kube/index.js'
import type { FaultSource } from '../../packages/operator/testing/kube-api/index.js'
import type { Random } from '../random.js'
import type { Chronicle } from './chronicle.js'
import { OperatorProcess } from './operator-process.js'
import type { Sabotage } from './sabotage.js'
import type { Scenario } from './scenario.js'

export interface OperatorsParts {
  readonly scenario: Scenario
  readonly api: KubeApi
  readonly clock: VirtualClock
  readonly random: Random
  readonly chronicle: Chronicle
  readonly faults: FaultSource
  readonly sabotage: Sabotage
}

/** The operators of a world. One that dies is started again after a while, under another name. */
export class Operators {
  deaths = 0
  readonly #parts: OperatorsParts
  readonly #places: (OperatorProcess | null)[]
  #lives = 0
  #isOver = false

  constructor(parts: OperatorsParts) {
    this.#parts = parts
    this.#places = Array.from({ length: parts.scenario.operators }, () => null)
    for (const place of this.#places.keys()) this.#start(place)
  }

  /** Another one may have to wait until the lease is over, and to read everything. */
  get #handoverMs(): number {
    return this.#parts.scenario.leaseMs + 20_000
  }

  kill(): void {
    const { random, clock, chronicle } = this.#parts
    const place = random.between(0, this.#places.length - 1)
    const process = this.#places[place]
    if (process == null) return
    this.#places[place] = null
    this.deaths++
    const downMs = random.between(1000, 90_000)
    chronicle.disturbed('death', downMs + this.#handoverMs)
    switch (random.between(0, 2)) {
      case 0:
        process.life.die()
        break
      case 1:
        process.life.dieIn(random.between(1, 12))
        break
      default:
        process.stop()
    }
    void clock.sleep(downMs).then(() => {
      process.life.die()
      if (!this.#isOver) this.#start(place)
    })
  }

  freeze(): void {
    const { random, clock, chronicle } = this.#parts
    const process = random.pick(this.#places)
    if (process === null) return
    const ms = random.between(100, 90_000)
    chronicle.disturbed('freeze', ms + this.#handoverMs)
    process.life.freeze()
    void clock.sleep(ms).then(() => process.life.thaw())
  }

  /** Somebody sets the clock of one; a time server sets it right again. */
  stepClock(): void {
    const { random, clock, chronicle } = this.#parts
    const process = random.pick(this.#places)
    if (process === null) return
    const stepMs = random.pick([-900_000, -60_000, -5000, -800, 800, 5000, 60_000, 900_000])
    const ms = random.between(1000, 180_000)
    chronicle.disturbed('step', ms + Math.abs(stepMs) + 60_000)
    process.skewMs += stepMs
    void clock.sleep(ms).then(() => {
      process.skewMs -= stepMs
    })
  }

  /** From now on one lives, which has to find out what the others left. */
  calmDown(): void {
    this.#isOver = true
    for (const process of this.#places) process?.life.die()
    this.#places.fill(null)
    this.#start(this.#places.length - 1)
  }

  end(): void {
    for (const process of this.#places) process?.life.die()
  }

  #start(place: number): void {
    if (this.#places[place] !== null) return
    const { scenario, random, ...parts } = this.#parts
    const isLawless = place < scenario.lawless
    this.#places[place] = new OperatorProcess({
      ...parts,
      name: `operator-${place}-${++this.#lives}`,
      skewMs: random.between(-scenario.skewMs, scenario.skewMs),
      leaseMs: isLawless ? null : scenario.leaseMs,
      resyncMs: this.#isOver ? 1_800_000 : random.pick([60_000, 600_000, 1_800_000]),
    })
  }
}
