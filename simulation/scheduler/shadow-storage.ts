import { memoryStorage, type Storage, type TaskRecord } from '@kron/scheduler'
import type { Random } from '../random.js'

/** A storage that fails while it is down, and of which one can see from outside what it holds. */
export class ShadowStorage implements Storage {
  /** What is stored, by the name of the task. */
  readonly records = new Map<string, TaskRecord>()
  isDown = false
  /** Whether an initialization was reported as failed though it was done. */
  hasLied = false
  readonly #random: Random
  readonly #storage = memoryStorage()
  readonly #names = new Map<number, string>()

  constructor(random: Random) {
    this.#random = random
  }

  open = () => this.#pass(() => this.#storage.open())
  close = () => this.#pass(() => this.#storage.close())

  change: Storage['change'] = async (decide) => {
    let forget: readonly number[] = []
    let records: TaskRecord[] = []
    await this.#pass(
      async () => {
        await this.#storage.change((stored) => {
          const change = decide(stored)
          forget = change.removed
          records = [...change.added, ...change.replaced]
          return change
        })
        for (const id of forget) this.records.delete(this.#names.get(id)!)
        this.#note(records)
      },
      () => {
        this.hasLied = true
      },
    )
  }

  save: Storage['save'] = (instanceId, records, watched) =>
    this.#pass(async () => {
      await this.#storage.save(instanceId, records, watched)
      this.#note(records)
    })

  #note(records: readonly TaskRecord[]): void {
    for (const record of records) {
      this.#names.set(record.id, record.name)
      this.records.set(record.name, record)
    }
  }

  async #pass(work: () => Promise<void>, lie: () => void = () => undefined): Promise<void> {
    if (!this.isDown) return work()
    if (this.#random.chance(0.5)) throw new Error('disk full')
    await work()
    lie()
    throw new Error('timed out')
  }
}
