import type { Stop } from '../dispatch/index.js'
import { type RunKey, runId } from '../domain/index.js'
import type { CompiledEndpoint } from '../scheduling/index.js'
import type { ClaimedRun, RunEvent } from '../store/index.js'
import type { StopReason } from './execution.js'

/** A run between its claim and its record. */
export interface LiveRun {
  readonly claimed: ClaimedRun
  readonly compiled: CompiledEndpoint
  readonly stop: Stop<StopReason>
}

/** The runs of a worker that are claimed and not recorded, each once. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>()
  readonly #loads: TenantLoads

  constructor(maxInFlight: number) {
    this.#loads = new TenantLoads(maxInFlight)
  }

  get size(): number {
    return this.#runs.size
  }

  get room(): Room {
    return this.#loads.room
  }

  get(key: RunKey): LiveRun | undefined {
    return this.#runs.get(runId(key))
  }

  /** One that was taken for lost may come back to this worker, and is the same run then. */
  add(live: LiveRun): void {
    const id = runId(live.claimed)
    const before = this.#runs.get(id)
    if (before !== undefined) this.#loads.remove(before.claimed.tenantId)
    this.#runs.set(id, live)
    this.#loads.add(live.claimed.tenantId)
  }

  /** Whether its tenant had its whole share until now. */
  remove({ claimed }: LiveRun): boolean {
    this.#runs.delete(runId(claimed))
    return this.#loads.remove(claimed.tenantId)
  }

  stopAll(reason: StopReason): void {
    for (const { stop } of this.#runs.values()) stop.stop(reason)
  }
}

/** Who may not have more, and how many anybody else may have without getting beyond the share. */
export interface Room {
  readonly without: readonly string[]
  readonly most: number
}

/** What of a worker is left to other tenants, whatever one of them has it do. */
const largestShare = 1 / 2

/**
 * How many runs of each tenant are in flight. A tenant whose targets hang would have all of them
 * otherwise, and nobody else's endpoints would be called until they give up.
 */
export class TenantLoads {
  readonly #share: number
  readonly #loads = new Map<string, number>()

  constructor(maxInFlight: number) {
    this.#share = Math.max(1, Math.floor(maxInFlight * largestShare))
  }

  add(tenantId: string): void {
    this.#loads.set(tenantId, (this.#loads.get(tenantId) ?? 0) + 1)
  }

  /** Whether the tenant had its whole share until now. */
  remove(tenantId: string): boolean {
    const before = this.#loads.get(tenantId)!
    if (before === 1) this.#loads.delete(tenantId)
    else this.#loads.set(tenantId, before - 1)
    return before >= this.#share
  }

  get room(): Room {
    const without: string[] = []
    let largest = 0
    for (const [tenantId, load] of this.#loads) {
      if (load >= this.#share) without.push(tenantId)
      else largest = Math.max(largest, load)
    }
    return { without, most: this.#share - largest }
  }
}

type RunOfTenant = RunKey & { readonly tenantId: string }

export const startedEvent = (run: RunOfTenant, at: number): RunEvent => ({
  tenantId: run.tenantId,
  type: 'run.started',
  subject: runId(run),
  status: 'running',
  at,
})

export const endedEvent = (run: RunOfTenant, status: string, at: number): RunEvent => ({
  tenantId: run.tenantId,
  type: 'run.ended',
  subject: runId(run),
  status,
  at,
})
