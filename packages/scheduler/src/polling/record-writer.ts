import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import { SchedulerError, StorageError, SupersededError } from '../errors/index.js'
import { type Announcer, thrown } from '../event/index.js'
import type { Storage } from '../storage/index.js'
import type { TaskRecord } from '../task/task-record.js'
import { SilenceError, StopPatience } from './stop-patience.js'

/** Between attempts at a storage that fails. */
export const storageBackoff: Backoff = { firstMs: 1000, maxMs: 60_000 }

export interface RecordWriterPorts {
  readonly clock: Clock
  readonly storage: Storage
  readonly announcer: Announcer
  readonly instanceId: string
}

/** Writes records into the storage, and knows when it may be asked again after a failure. */
export class RecordWriter {
  readonly #ports: RecordWriterPorts
  readonly #patience: StopPatience
  #failures = 0
  #retryAt = Number.NEGATIVE_INFINITY
  #isSuperseded = false
  #isAbandoned = false

  constructor(ports: RecordWriterPorts) {
    this.#ports = ports
    this.#patience = new StopPatience(ports.clock)
  }

  /** Nothing is written before this instant. */
  get retryAt(): number {
    return this.#retryAt
  }

  /** Another scheduler has initialized on the storage: nothing of ours is written any more. */
  get isSuperseded(): boolean {
    return this.#isSuperseded
  }

  /** The storage has not answered since the stop; it may yet, and is asked for nothing more. */
  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** From here on a storage that does not answer is waited for with an end. */
  beginStopping(): void {
    this.#patience.begin()
  }

  /** The clock was set back to `now`: nobody waits for a time that lies further ahead. */
  rewind(now: number): void {
    this.#retryAt = Math.min(this.#retryAt, now)
  }

  /** All or nothing; rejects when it may not have been written. */
  async save(records: readonly TaskRecord[], watched: string): Promise<void> {
    const { storage, instanceId } = this.#ports
    await this.#patience.forAnswer(storage.save(instanceId, records, watched))
    this.#failures = 0
  }

  /** `save` rejected with this error. */
  failed(error: unknown, records: readonly TaskRecord[], now: number): void {
    const { storage, announcer } = this.#ports
    const { place } = storage
    this.#isSuperseded = error instanceof SupersededError
    if (error instanceof SupersededError) error.locate(place)
    const taskNames = records.map(({ name }) => name)
    const ofOurs = error instanceof SchedulerError
    this.#retryAt = now + backoffMs(storageBackoff, ++this.#failures)
    this.#isAbandoned = error instanceof SilenceError
    const isOver = this.#isSuperseded || this.#isAbandoned
    announcer.announce({
      type: 'StorageFailed',
      time: new Date(now),
      ...thrown(ofOurs ? error : new StorageError({ operation: 'save', place, taskNames }, error)),
      retryAt: isOver ? null : new Date(this.#retryAt),
    })
  }
}
