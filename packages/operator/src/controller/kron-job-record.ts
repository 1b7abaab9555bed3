import { type Decision, type Job, KronError } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import { instantOf, isActive, type OwnedJob } from '../job/index.js'
import { compileKronJob, type KronJob } from '../kronjob/index.js'
import { type HandledPeriod, lastHandled } from './handled-period.js'
import { StatusDispute } from './status-dispute.js'

/** A period that is being tried, and how far that has come. */
export interface Attempt {
  readonly nominalTime: number
  readonly failures: number
  /** Until then a request that nobody answered may still take effect. */
  readonly uncertainUntil: number | null
  /** When its replacement began, if it has one. */
  readonly replacingSince: number | null
}

/** Why periods can't be executed at the moment. */
export interface Trouble {
  readonly condition: 'InvalidSpec' | 'SchedulingError'
  readonly reason: string
  readonly message: string
}

/** A KronJob, its Jobs, and what this controller knows beyond what the API server does. */
export class KronJobRecord {
  readonly key: string
  readonly uid: string
  readonly createdAt: number
  readonly jobs = new Map<string, OwnedJob>()
  remembered: HandledPeriod | null = null
  planned: Decision | null = null
  attempt: Attempt | null = null
  trouble: Trouble | null = null
  /** Jobs that were asked to go for a period's sake, by uid. */
  readonly doomed = new Map<string, OwnedJob>()
  /** What is to be told before the status is. */
  news: KronEvent[] = []
  writeFailures = 0
  readonly dispute = new StatusDispute()
  #kronJob: KronJob
  #compiled: Job | KronError

  constructor(key: string, kronJob: KronJob) {
    this.key = key
    this.uid = kronJob.metadata.uid ?? ''
    this.createdAt = instantOf(kronJob.metadata.creationTimestamp) ?? 0
    this.#kronJob = kronJob
    this.#compiled = compiled(kronJob)
  }

  get kronJob(): KronJob {
    return this.#kronJob
  }

  get identity(): string {
    return this.key
  }

  /** The job of the core, or why there is none. */
  get compiled(): Job | KronError {
    return this.#compiled
  }

  /** Takes a newer version of the resource. What is planned holds unless the specification changed. */
  update(kronJob: KronJob): void {
    const isChanged = kronJob.metadata.generation !== this.#kronJob.metadata.generation
    this.#kronJob = kronJob
    if (!isChanged) return
    this.#compiled = compiled(kronJob)
    this.planned = null
    this.trouble = null
    if (this.attempt !== null) this.attempt = { ...this.attempt, failures: 0 }
  }

  get isDeleting(): boolean {
    return this.#kronJob.metadata.deletionTimestamp !== undefined
  }

  /** What was seen once is remembered: its Job may be gone before the status tells of it. */
  putJob(job: OwnedJob): void {
    this.jobs.set(job.name, job)
    if (job.period === null) return
    const known = this.remembered?.nominalTime ?? Number.NEGATIVE_INFINITY
    if (job.period.nominalTime < known) return
    this.remembered = { ...job.period, outcome: 'executed' }
  }

  get lastHandled(): HandledPeriod | null {
    return lastHandled(this.jobs.values(), this.#kronJob.status, this.remembered)
  }

  /** Oldest first. */
  get activeJobs(): OwnedJob[] {
    return [...this.jobs.values()].filter(isActive).sort(byAge)
  }

  attemptAt(nominalTime: number): Attempt {
    if (this.attempt?.nominalTime === nominalTime) return this.attempt
    return { nominalTime, failures: 0, uncertainUntil: null, replacingSince: null }
  }
}

export const byAge = (a: OwnedJob, b: OwnedJob): number =>
  a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)

function compiled(kronJob: KronJob): Job | KronError {
  try {
    return compileKronJob(kronJob)
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
}
