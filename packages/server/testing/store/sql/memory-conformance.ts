import type { Endpoint, Plan, RunSource, RunStatus } from '../../../src/domain/index.js'
import { wakeOf } from '../../../src/scheduling/index.js'
import type { ClaimedRun } from '../../../src/store/claim.js'
import type {
  EndedRow,
  HotStatements,
  RunState,
  TakenRun,
} from '../../../src/store/sql/hot-statements.js'

export interface MemoryRun {
  status: RunStatus
  reason: string | null
  fence: number
  readonly source: RunSource
  readonly periodId: string
  attempts: number
  overlapLease: number | null
}

const keyOf = ({ endpointId, scheduledFor }: TakenRun): string => `${endpointId}.${scheduledFor}`

/** The rows of a few endpoints, and what was done to them, for histories of many steps. */
export class Memory {
  readonly plans = new Map<string, Plan>()
  readonly endpoints = new Map<string, Endpoint>()
  readonly runs = new Map<string, MemoryRun>()
  /** Every start that took effect, in order. */
  readonly starts: ClaimedRun[] = []
  /** Rows that were to be made and were there already. */
  readonly conflicts: EndedRow[] = []
  readonly released: TakenRun[] = []
  runsLeft: number | null = null
  systemRunsLeft: number | null = null

  run(key: TakenRun): MemoryRun | undefined {
    return this.runs.get(keyOf(key))
  }

  put(key: TakenRun, run: MemoryRun): void {
    this.runs.set(keyOf(key), run)
  }

  at(now: number): HotStatements {
    return {
      now,
      lockDue: async (until, limit) => this.#due(now, until).slice(0, limit),
      lockPlans: async (ids) => this.#plansOf(ids),
      lockFreePlans: async (ids) => ({ plans: this.#plansOf(ids), busy: new Set() }),
      lockRuns: async () => undefined,
      readEndpoints: async (ids) => ids.flatMap((id) => this.endpoints.get(id) ?? []),
      runsLeft: async (ids) =>
        new Map(this.runsLeft === null ? [] : ids.map((id) => [id, this.runsLeft!] as const)),
      systemRunsLeft: async () => this.systemRunsLeft,
      startRuns: async (runs) => runs.map((run) => this.#start(run)),
      endRuns: async (runs) => {
        for (const run of runs) this.#end(run)
      },
      replaceRuns: async (started) => started.flatMap((run) => this.#replace(run)),
      putPlans: async (plans) => {
        for (const plan of plans) this.plans.set(plan.endpointId, plan)
      },
      countRuns: async () => undefined,
      insertClaim: async () => undefined,
      endLostRuns: async (until) => this.#endLost(until),
      nextWakes: async () => ({ nextWakeAt: null, nextCrowdAt: null }),
      readRuns: async (keys) => keys.flatMap((key) => this.#state(key)),
      writeOutcomes: async (outcomes) => {
        for (const outcome of outcomes) {
          const status = outcome.status as RunStatus
          Object.assign(this.run(outcome)!, { status, overlapLease: null })
        }
      },
      addStarts: async () => undefined,
      readMemories: async () => [],
      putMemories: async () => undefined,
      addSessions: async () => undefined,
      addAudits: async () => undefined,
      releaseRuns: async (outcomes) => {
        for (const outcome of outcomes) this.#release(outcome)
      },
      askAttention: async () => undefined,
    }
  }

  #plansOf(ids: readonly string[]): Plan[] {
    return ids.flatMap((id) => this.plans.get(id) ?? [])
  }

  #due(now: number, until: number): Plan[] {
    const woken = [...this.plans.values()].flatMap((plan) => {
      const { at, kind } = wakeOf(plan)
      return at !== null && at <= (kind === 'due' ? until : now) ? [{ at, plan }] : []
    })
    return woken.sort((a, b) => a.at - b.at).map(({ plan }) => plan)
  }

  #start(run: ClaimedRun): boolean {
    const there = this.run(run)
    if ((there?.status ?? 'nothing') !== run.replaces) return false
    const { fence, source, periodId, attempts } = run
    const overlapLease = run.overlapping ? run.leaseUntil : null
    const rest = { fence, attempts, overlapLease, reason: null }
    this.put(run, { source, periodId, ...there, ...rest, status: 'running' })
    this.starts.push(run)
    return true
  }

  #end(row: EndedRow): void {
    const there = this.run(row)
    const { status, reason, source, periodId } = row
    if (row.wasRunning) {
      if (there?.status === 'running' || there?.status === 'pending') {
        Object.assign(there, { status, reason })
      }
      return
    }
    if (there !== undefined) {
      this.conflicts.push(row)
      return
    }
    const none = { fence: 0, attempts: 0, overlapLease: null }
    this.put(row, { status, reason, source, periodId, ...none })
  }

  #replace({ endpointId, scheduledFor }: ClaimedRun): TakenRun[] {
    const replaced: TakenRun[] = []
    for (const [key, run] of this.runs) {
      const [id, at] = key.split('.')
      if (id !== endpointId || Number(at) === scheduledFor || run.overlapLease === null) continue
      Object.assign(run, { status: 'cancelled', reason: 'replaced', overlapLease: null })
      replaced.push({ endpointId, scheduledFor: Number(at) })
    }
    return replaced
  }

  #endLost(until: number): [] {
    for (const run of this.runs.values()) {
      if (run.overlapLease === null || run.overlapLease > until) continue
      Object.assign(run, { status: 'cancelled', reason: 'worker_lost', overlapLease: null })
    }
    return []
  }

  #state(key: TakenRun): RunState[] {
    const run = this.run(key)
    if (run === undefined) return []
    const { endpointId, scheduledFor } = key
    return [{ endpointId, scheduledFor, startedAt: null, ...run }]
  }

  #release(key: TakenRun): void {
    const run = this.run(key)!
    if (run.source === 'manual' || run.source === 'replay') {
      Object.assign(run, { status: 'pending', overlapLease: null })
      return
    }
    this.runs.delete(keyOf(key))
    this.released.push(key)
  }
}
