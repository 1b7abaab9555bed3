import { randomUUID } from 'node:crypto'
import { EndpointPlanning, type Outcome } from '../../src/scheduling/index.js'
import type { Claim, RecordAnswer } from '../../src/store/index.js'
import { sampleOutcome } from '../sample-outcome.js'
import type { ApiWorld } from './api-world.js'

/** Takes runs and records how they ended, as a worker would. */
export class TestWorker {
  readonly #world: ApiWorld
  readonly #planning = new EndpointPlanning({
    maxDefinitions: 1000,
    readSteering: () => ({ problems: [] }),
    onBroken: (_, error) => {
      throw error
    },
  })
  constructor(world: ApiWorld) {
    this.#world = world
  }

  claim(withinMs = 0, limit = 100): Promise<Claim> {
    // Several tests may share a database, and a claim's name is taken once.
    const claimId = `claim-${randomUUID()}`
    const request = { claimId, owner: 'wrk_test', limit, withinMs, crowd: 100 }
    return this.#world.store.claim(request, this.#planning)
  }

  record(outcomes: readonly Outcome[]): Promise<RecordAnswer> {
    return this.#world.store.record(outcomes, this.#planning)
  }

  /** Ends all runs of a claim alike. */
  end({ claimed }: Claim, given: Partial<Outcome> = {}): Promise<RecordAnswer> {
    const now = this.#world.clock.now().getTime()
    return this.record(claimed.map((run) => sampleOutcome(run, now, given)))
  }
}
