import type { Clock } from '@kron/runtime'
import type { EventRecorder } from '../event/index.js'
import type { KronJob } from '../kronjob/index.js'
import { hasStatus, type KubeObject } from '../kube/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import type { Requests } from '../requests/requests.js'
import { jobEvents } from './job-events.js'
import { statusOf, statusPatch } from './status-of.js'

const maxConflicts = 5

export interface StatusWriterPorts {
  readonly requests: Requests
  readonly recorder: EventRecorder
  readonly clock: Clock
  /** Takes an answer of the API server as the newest state of a KronJob. */
  readonly note: (kronJob: KubeObject) => void
}

/**
 * Brings the status of a KronJob up to date. Events go first: they report the difference between
 * the Jobs and the status, so dying in between only has them recorded again, under the same name.
 * A status is written for the version that it was computed from: another controller that knows
 * less can't undo it.
 */
export class StatusWriter {
  readonly #ports: StatusWriterPorts

  constructor(ports: StatusWriterPorts) {
    this.#ports = ports
  }

  /**
   * Answers when to come again, if the status is not to be written yet. Rejects when it could not
   * be written; pending events are kept until they are recorded.
   */
  async write(record: KronJobRecord, now: number): Promise<number | null> {
    await this.#recordEvents(record)
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
        // The KronJob was deleted: the watch will report that.
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

  async #recordEvents(record: KronJobRecord): Promise<void> {
    const { kronJob, jobs } = record
    const derived = jobEvents(kronJob.status, jobs.values())
    // A copy: what a check of the template adds meanwhile has not been recorded.
    const pending = [...record.pendingEvents]
    await Promise.all(
      [...pending, ...derived].map((event) => this.#ports.recorder.record(kronJob, event)),
    )
    record.pendingEvents = record.pendingEvents.filter((event) => !pending.includes(event))
  }
}

const nameOf = ({ metadata }: KronJob) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})
