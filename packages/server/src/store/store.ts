import type { RunKey } from '../domain/index.js'
import type { Outcome, Planning } from '../scheduling/index.js'
import type { Claim, ClaimRequest, RecordAnswer } from './claim.js'
import type { SystemTransaction } from './system-transaction.js'
import type { TenantTransaction } from './tenant-transaction.js'

export const runEventTypes = [
  'run.started',
  'run.ended',
  'endpoint.changed',
  'job.changed',
] as const

export interface RunEvent {
  readonly tenantId: string
  readonly type: (typeof runEventTypes)[number]
  readonly subject: string
  readonly status: string | null
  readonly at: number
}

/** By which a signing secret is found. */
export interface SecretKey {
  readonly tenantId: string
  readonly name: string
}

/** What a store tells the processes that share it. None of it is needed for correctness. */
export interface StoreSignals {
  /** An endpoint may wake at this instant, earlier than was known. */
  onWake(listener: (instant: number) => void): () => void
  onAbort(listener: (run: RunKey) => void): () => void
  /** A secret is not what it was: who keeps what he has read must read it again. */
  onSecret(listener: (secret: SecretKey) => void): () => void
  onEvent(tenantId: string, listener: (event: RunEvent) => void): () => void
  /** Whether somebody listens to a tenant: where nobody does, no events are needed. */
  isWanted(tenantId: string): boolean
  publish(events: readonly RunEvent[]): void
}

/**
 * Where everything is kept. SQL is behind this interface only. A call that rejects may have taken
 * effect all the same (a commit whose answer got lost): `settleClaim` tells for a claim, outcomes
 * may simply be recorded again, and API requests carry an idempotency key.
 */
export interface Store {
  readonly name: 'sqlite' | 'postgres'
  readonly signals: StoreSignals
  /** Brings the schema to this version of the program, under a lock. */
  migrate(): Promise<void>
  /** The database's time. Resolves only when the store can be used: it tells readiness as well. */
  time(): Promise<number>
  claim(request: ClaimRequest, planning: Planning): Promise<Claim>
  /**
   * What the claim of this name took, if it took effect. If it did not, it never will.
   */
  settleClaim(claimId: string, planning: Planning): Promise<Claim>
  record(outcomes: readonly Outcome[], planning: Planning): Promise<RecordAnswer>
  tenant<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T>
  /**
   * The same for who only looks, such as people: nothing can be changed, nothing is locked, and
   * however much is read, nobody else is held up by it.
   */
  read<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T>
  system<T>(work: (rows: SystemTransaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type StoreErrorCode = 'unavailable' | 'timeout' | 'conflict' | 'incompatible' | 'broken'

/** A call of the store that failed. Unless `applied` is false, it may have taken effect. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  readonly applied: 'no' | 'unknown'

  constructor(
    code: StoreErrorCode,
    message: string,
    applied: 'no' | 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.applied = applied
  }
}
