import type { VirtualClock } from '@kron/runtime/testing'
import type {
  ApiCall,
  Fault,
  MemoryKubeApi,
} from '../../packages/operator/testing/kube-api/index.js'
import { everyFaultKind } from '../../packages/operator/testing/kube-api/index.js'
import type { Random } from '../random.js'
import type { Chronicle } from './chronicle.js'

/** What a failed request may keep an operator busy with: repeating, waiting, a late effect. */
const aftermathMs = 90_000

/** How the API server and the network to it are: requests that fail, watches that stand still. */
export class Weather {
  readonly #api: MemoryKubeApi
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #chronicle: Chronicle
  readonly #defaultFaults: number
  #stormFaults = 0
  #isCalm = false

  constructor(
    api: MemoryKubeApi,
    clock: VirtualClock,
    random: Random,
    chronicle: Chronicle,
    faults: number,
  ) {
    this.#api = api
    this.#clock = clock
    this.#random = random
    this.#chronicle = chronicle
    this.#defaultFaults = faults
  }

  readonly faults = (_: ApiCall): Fault | null => {
    const random = this.#random
    const part = this.#isCalm ? 0 : Math.max(this.#defaultFaults, this.#stormFaults)
    if (part === 0 || !random.chance(part)) return null
    this.#chronicle.disturbed('fault', aftermathMs)
    return {
      kind: random.pick(everyFaultKind),
      timeoutMs: random.pick([500, 10_000]),
      effectAfterMs: random.between(600, 55_000),
      afterEvents: random.between(0, 3),
    }
  }

  storm(): void {
    const ms = random(this.#random, 60_000)
    this.#stormFaults = this.#random.pick([0.3, 0.7, 1])
    this.#chronicle.disturbed('storm', ms + aftermathMs)
    void this.#clock.sleep(ms).then(() => {
      this.#stormFaults = 0
    })
  }

  watchTrouble(): void {
    const api = this.#api
    switch (this.#random.between(0, 4)) {
      case 0:
        this.#hold()
        break
      case 1:
        api.cutWatches()
        this.#chronicle.disturbed('cut', 60_000)
        break
      case 2:
        api.cutWatches()
        api.compact()
        this.#chronicle.disturbed('compacted', 60_000)
        break
      case 3:
        api.compact()
        break
      default:
        api.bookmark()
    }
  }

  #hold(): void {
    const ms = random(this.#random, 60_000)
    this.#chronicle.disturbed('hold', ms + 5000)
    this.#api.holdWatches()
    void this.#clock.sleep(ms).then(() => this.#api.releaseWatches())
  }

  calmDown(): void {
    this.#isCalm = true
    this.#api.releaseWatches()
    this.#api.setWatchDelayMs(0)
  }
}

const random = (source: Random, most: number): number => source.between(500, most)
