import type {
  ApiKey,
  AuditEntry,
  Endpoint,
  EndpointWithPlan,
  Job,
  JobStatus,
  Plan,
  PlannerSession,
  Quotas,
  Retention,
  Run,
  RunKey,
  RunSource,
  RunStatus,
  SigningSecret,
  SystemQuotas,
  SystemUsage,
  Tenant,
  Usage,
} from '../domain/index.js'
import type { Memory } from '../learner/index.js'
import type { Page, PageRequest } from './page.js'

/**
 * Everything one tenant has, inside of one transaction. A foreign id is not found, as if it did
 * not exist. The work must await nothing but these calls: on SQLite it holds the only writer.
 */
export interface TenantTransaction {
  readonly tenantId: string
  /** The database's time at the beginning of the transaction. */
  readonly now: number
  /** The database's time now, which is later where the transaction had to wait for others. */
  time(): Promise<number>
  readonly tenant: TenantRows
  readonly system: SystemUsageRows
  readonly jobs: JobRows
  readonly endpoints: EndpointRows
  readonly plans: PlanRows
  readonly memories: MemoryRows
  readonly runs: RunRows
  readonly keys: KeyRows
  readonly secrets: SecretRows
  readonly audit: AuditRows
  readonly sessions: SessionRows
  readonly idempotency: IdempotencyRows
  readonly logOuts: LogOutRows
  /** Wakes workers that sleep past this instant, once the transaction has committed. */
  wakeAt(instant: number): void
  /** Has the worker that executes this run give it up, once the transaction has committed. */
  abort(run: RunKey): void
}

export interface TenantRows {
  get(): Promise<Tenant>
  /** The same, locked until the transaction ends: for who changes what he has read. */
  lock(): Promise<Tenant>
  /** Endpoints that wait for the end of a quota are planned again at once. */
  update(change: {
    readonly name?: string
    readonly quotas?: Quotas
    readonly retention?: Retention
  }): Promise<void>
  /** Marks it as suspended since then, or as active; plans are seen to by others. */
  suspend(at: number | null): Promise<void>
  usage(): Promise<Usage>
  /** Adds to the counters of this month, the tenant's and those of all tenants together. */
  count(used: { readonly aiCalls?: number; readonly aiTokens?: number }): Promise<void>
}

/** What all tenants together may do and have done. It is never told whose it was. */
export interface SystemUsageRows {
  readonly quotas: SystemQuotas
  usage(): Promise<SystemUsage>
  /** The same for who counts against a quota: one after the other, each to its transaction's end. */
  lockUsage(): Promise<SystemUsage>
}

export interface JobRows {
  /** The row is locked until the transaction ends. */
  get(id: string): Promise<Job | null>
  /** The same without a lock: who only looks need not wait for a change, nor hold one up. */
  read(id: string): Promise<Job | null>
  list(page: PageRequest & { readonly status?: JobStatus }): Promise<Page<Job>>
  /** False when another live job of the tenant has this name. */
  insert(job: Job): Promise<boolean>
  update(job: Job): Promise<boolean>
  /** Removes it with its endpoints. Runs stay as history until retention takes them. */
  delete(id: string): Promise<void>
}

export interface EndpointFilter {
  readonly jobId?: string
  readonly archived?: boolean
}

export interface EndpointRows {
  /** Nobody else changes either of them until the transaction ends. */
  get(id: string): Promise<EndpointWithPlan | null>
  /** The same without a lock: workers would pass over an endpoint that is locked. */
  read(id: string): Promise<EndpointWithPlan | null>
  list(page: PageRequest & EndpointFilter): Promise<Page<EndpointWithPlan>>
  /**
   * Writes both, counts the endpoint against the quota and wakes workers for its plan. False when
   * the job has this name already.
   */
  insert(endpoint: Endpoint, plan: Plan): Promise<boolean>
  update(endpoint: Endpoint): Promise<boolean>
  /** Removes it with its plan. Runs stay as history until retention takes them. */
  delete(id: string): Promise<void>
}

export interface PlanRows {
  /** Writes a plan, and wakes workers that sleep past the instant at which it wakes. */
  put(plan: Plan): Promise<void>
  /**
   * Nothing of the job is planned any more, and runs that were claimed for later are cancelled:
   * these it answers. What is due by now is under way.
   */
  suspend(jobId: string, reason: string): Promise<readonly RunKey[]>
  /** Has workers plan at once what the job has. */
  unsuspend(jobId: string): Promise<void>
}

/** What the learner remembers. It is written where runs are recorded, and nowhere else. */
export interface MemoryRows {
  read(endpointId: string): Promise<Memory | null>
}

export interface RunFilter {
  readonly endpointId?: string
  readonly jobId?: string
  readonly status?: readonly RunStatus[]
  readonly source?: RunSource
  /** scheduledFor: from this instant, before that one. */
  readonly from?: number
  readonly before?: number
}

export type OpenRunFilter = { readonly endpointId: string } | { readonly jobId: string }

export interface RunRows {
  /** The row is locked until the transaction ends. */
  get(key: RunKey): Promise<Run | null>
  read(key: RunKey): Promise<Run | null>
  /** The newest first. */
  list(page: PageRequest & RunFilter): Promise<Page<Run>>
  /**
   * All that is pending or running of an endpoint or a job, whose plans are locked until the
   * transaction ends. History is not read.
   */
  open(of: OpenRunFilter): Promise<readonly RunKey[]>
  body(key: RunKey): Promise<Uint8Array | null>
  /** False when the endpoint has a run for this instant. */
  insert(run: Run): Promise<boolean>
  /** Ends a run that is pending or running. False when it had ended already. */
  end(
    key: RunKey,
    end: { readonly status: RunStatus; readonly reason: string; readonly at: number },
  ): Promise<boolean>
}

export interface KeyRows {
  list(page: PageRequest): Promise<Page<ApiKey>>
  get(id: string): Promise<ApiKey | null>
  insert(key: ApiKey, hash: string): Promise<void>
  revoke(id: string, at: number): Promise<void>
}

export interface SecretRows {
  list(page: PageRequest): Promise<Page<SigningSecret>>
  /** The name is locked until the transaction ends, also if there is no such secret yet. */
  get(name: string): Promise<SigningSecret | null>
  /** The same without a lock: workers that sign must not wait for a rotation. */
  read(name: string): Promise<SigningSecret | null>
  /** Makes or replaces the secret of this name. */
  put(secret: SigningSecret): Promise<void>
  delete(name: string): Promise<boolean>
}

export interface AuditRows {
  append(entry: Omit<AuditEntry, 'id' | 'tenantId' | 'at'>): Promise<void>
  /** The newest first. */
  list(page: PageRequest & { readonly subject?: string }): Promise<Page<AuditEntry>>
}

export interface SessionRows {
  append(session: PlannerSession): Promise<void>
  get(id: string): Promise<PlannerSession | null>
  list(page: PageRequest & { readonly endpointId?: string }): Promise<Page<PlannerSession>>
}

/** An answer that was given before, to be given again. */
export interface RememberedAnswer {
  readonly requestHash: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface IdempotencyRows {
  /** Locks the key until the transaction ends, so that two requests can't both find nothing. */
  get(key: string): Promise<RememberedAnswer | null>
  put(key: string, answer: RememberedAnswer): Promise<void>
}

/** Sessions of browsers that were ended before their time. */
export interface LogOutRows {
  /** Kept at least until the session would have ended by itself. */
  add(sessionId: string, expiresAt: number): Promise<void>
  has(sessionId: string): Promise<boolean>
}
