import type { JobState } from '../state/index.js'
import { concerning } from './concerning.js'
import type { JobRecord } from './job-record.js'
import type { StateKeeper } from './ports.js'

/**
 * Every change of state goes through here. The change is made in memory at once, so that changes
 * which overlap build on each other, and is on disk when the promise resolves; the store keeps the
 * order. When a write fails nobody knows any more what the disk holds: `onBroken` ends the daemon,
 * and the promise rejects so that nothing is done which the write should have allowed.
 */
export class Ledger {
  readonly #store: Pick<StateKeeper, 'save'>
  readonly #onBroken: (error: unknown, record: JobRecord) => void

  constructor(
    store: Pick<StateKeeper, 'save'>,
    onBroken: (error: unknown, record: JobRecord) => void,
  ) {
    this.#store = store
    this.#onBroken = onBroken
  }

  /**
   * `nominal`: the period that the change is about, if it is about one. `turn`: until when the
   * write can wait. What is written then has the changes since as well.
   */
  async change(
    record: JobRecord,
    nominal: number | null,
    change: (state: JobState) => JobState,
    turn?: Promise<void>,
  ): Promise<void> {
    record.state = change(record.state)
    try {
      if (turn !== undefined) await turn
      await this.#store.save(record.state)
    } catch (error) {
      const failure = concerning(error, record.identity, nominal)
      this.#onBroken(failure, record)
      throw failure
    }
  }
}
