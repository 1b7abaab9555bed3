import type { Clock } from '@kron/runtime'
import type { OwnedJob } from '../job/index.js'
import type { KronJob } from '../kronjob/index.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import type { EventLog } from './event-log.js'
import type { ControllerPorts, Observer } from './ports.js'

/**
 * All KronJobs with their Jobs. A Job belongs to the KronJob whose uid its owner reference has, not
 * to one that has the same name.
 */
export class KronJobBook {
  readonly #records = new Map<string, KronJobRecord>()
  readonly #recordOfUid = new Map<string, KronJobRecord>()
  /** Jobs of owners that were not seen yet: Jobs may be listed first. */
  readonly #orphans = new Map<string, Map<string, OwnedJob>>()
  readonly #wake: (key: string) => void
  readonly #events: EventLog
  readonly #observer: Observer
  readonly #clock: Clock

  constructor(
    wake: (key: string) => void,
    events: EventLog,
    { observer, clock }: Pick<ControllerPorts, 'observer' | 'clock'>,
  ) {
    this.#wake = wake
    this.#events = events
    this.#observer = observer
    this.#clock = clock
  }

  get size(): number {
    return this.#records.size
  }

  keys(): Iterable<string> {
    return this.#records.keys()
  }

  record(key: string): KronJobRecord | undefined {
    return this.#records.get(key)
  }

  /** After the clock was set, what was planned may be far away. */
  forgetPlans(): void {
    for (const record of this.#records.values()) record.planned = null
  }

  putKronJob(key: string, kronJob: KronJob | null): void {
    const known = this.#records.get(key)
    // What we wrote ourselves is known already.
    if (known !== undefined && kronJob !== null && isSameVersion(known.kronJob, kronJob)) return
    if (known !== undefined && known.uid !== kronJob?.metadata.uid) this.#remove(known)
    if (kronJob !== null) {
      const seenAt = this.#clock.now().getTime()
      const record = this.#records.get(key)
      if (record === undefined) this.#add(key, kronJob, seenAt)
      else record.update(kronJob, seenAt)
    }
    this.#wake(key)
  }

  #add(key: string, kronJob: KronJob, seenAt: number): void {
    const orphans = this.#orphans.get(kronJob.metadata.uid ?? '')?.values()
    const record = new KronJobRecord(key, kronJob, seenAt, orphans)
    this.#orphans.delete(record.uid)
    this.#records.set(key, record)
    this.#recordOfUid.set(record.uid, record)
  }

  #remove(record: KronJobRecord): void {
    this.#records.delete(record.key)
    this.#recordOfUid.delete(record.uid)
    if (record.jobs.size > 0) this.#orphans.set(record.uid, record.jobs)
  }

  putJob(job: OwnedJob | null, before: OwnedJob | null): void {
    if (before !== null && before.ownerUid !== job?.ownerUid) this.#removeJob(before)
    if (job === null) return
    this.#jobsOf(job.ownerUid).set(job.name, job)
    const record = this.#recordOfUid.get(job.ownerUid)
    if (record === undefined || (before !== null && isSameToUs(job, before))) return
    if (before !== null && before.state === 'active' && job.state !== 'active') {
      this.#events.completed(record, job)
      this.#observer.ended(job.state)
    }
    this.#wake(record.key)
  }

  #jobsOf(ownerUid: string): Map<string, OwnedJob> {
    const record = this.#recordOfUid.get(ownerUid)
    if (record !== undefined) return record.jobs
    const orphans = this.#orphans.get(ownerUid) ?? new Map<string, OwnedJob>()
    this.#orphans.set(ownerUid, orphans)
    return orphans
  }

  #removeJob(job: OwnedJob): void {
    const jobs = this.#jobsOf(job.ownerUid)
    jobs.delete(job.name)
    if (jobs.size === 0) this.#orphans.delete(job.ownerUid)
    const record = this.#recordOfUid.get(job.ownerUid)
    if (record !== undefined) this.#wake(record.key)
  }
}

const isSameVersion = (a: KronJob, b: KronJob): boolean =>
  a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion

/** A Job changes often while it runs, in ways that nothing depends on here. */
const isSameToUs = (a: OwnedJob, b: OwnedJob): boolean =>
  a.uid === b.uid &&
  a.state === b.state &&
  a.finishedAt === b.finishedAt &&
  a.deletingSince === b.deletingSince &&
  a.period?.nominalTime === b.period?.nominalTime
