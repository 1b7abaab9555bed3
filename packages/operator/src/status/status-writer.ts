import type { Clock } from '@kron/runtime'
import type { EventTeller } from '../event/index.js'
import type { KronJob } from '../kronjob/index.js'
import { hasStatus, type KubeObject } from '../kube/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import type { Requests } from '../requests/requests.js'
import { jobEvents } from './job-events.js'
import { statusOf, statusPatch } from './status-of.js'

const maxConflicts = 5

export interface StatusWriterPorts {
  readonly requests: Requests
  readonly teller: EventTeller
  readonly clock: Clock
  /** Takes an answer as the newest that is known of a KronJob. */
  readonly note: (kronJob: KubeObject) => void
}

/**
 * Brings the status of a KronJob up to date. Events go first: what they tell is the difference
 * between the Jobs and the status, so dying in between only has them told again, under the same
 * name. A status is written for the version that it was made from: another controller that knows
 * less can't undo it.
 */
export class StatusWriter {
  readonly #ports: StatusWriterPorts

  constructor(ports: StatusWriterPorts) {
    this.#ports = ports
  }

  /**
   * Answers when to come again, if it is not to be written yet. Rejects when it could not be
   * written; the news are kept until they are told.
   */
  async write(record: KronJobRecord, now: number): Promise<number | null> {
    await this.#tell(record)
    for (let conflicts = 0; ; conflicts++) {
      const { kronJob } = record
      const patch = statusPatch(kronJob.status, statusOf(record, now))
      if (patch === null) return null
      const pauseMs = record.dispute.pauseMs(patch, now)
      if (pauseMs > 0) return now + pauseMs
      const { resourceVersion } = kronJob.metadata
      try {
        const body = { metadata: { resourceVersion }, status: patch }
        this.#take(record, await this.#ports.requests.patchStatus(nameOf(kronJob), body))
        record.dispute.wrote(record.kronJob.status)
        return null
      } catch (error) {
        // Deleted: the watch will tell.
        if (hasStatus(error, 404)) return null
        if (!hasStatus(error, 409) || conflicts === maxConflicts) throw error
        await this.refresh(record)
      }
    }
  }

  /** Reads the KronJob as it is now. */
  async refresh(record: KronJobRecord): Promise<void> {
    try {
      this.#take(record, await this.#ports.requests.kronJob(nameOf(record.kronJob)))
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
  }

  #take(record: KronJobRecord, object: KubeObject): void {
    // One of the same name is another one, with a record of its own.
    const { clock, note } = this.#ports
    if (object.metadata.uid === record.uid) record.update(object as KronJob, clock.now().getTime())
    note(object)
  }

  async #tell(record: KronJobRecord): Promise<void> {
    const { kronJob, jobs } = record
    const derived = jobEvents(kronJob.status, jobs.values())
    // A copy: what a check of the template adds meanwhile has not been told.
    const news = [...record.news]
    await Promise.all([...news, ...derived].map((event) => this.#ports.teller.tell(kronJob, event)))
    record.news = record.news.filter((event) => !news.includes(event))
  }
}

const nameOf = ({ metadata }: KronJob) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})
