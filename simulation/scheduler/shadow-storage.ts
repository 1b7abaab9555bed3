import { memoryStorage, type Storage, StorageInUseError, type TaskRecord } from '@kron/scheduler'
import type { Mortality } from '../mortality.js'
import type { Random } from '../random.js'

/** Hears that the process of this life takes over from one that lives, right before it does. */
export type TakeOverListener = (by: Mortality) => void

/**
 * A storage that fails while it is down, and of which one can see from outside what it holds. Its
 * owners are processes, and the kernel knows which of them live.
 */
export class ShadowStorage {
  /** What is stored, by the name of the task. */
  readonly records = new Map<string, TaskRecord>()
  isDown = false
  /** Whether an initialization was reported as failed though it was done. */
  hasLied = false
  readonly #random: Random
  readonly #storage = memoryStorage()
  readonly #names = new Map<number, string>()
  readonly #listener: TakeOverListener
  /** Processes that hold a lock, unless they are dead. */
  readonly #lockers = new Set<Mortality>()
  #owner: Mortality | null = null

  constructor(random: Random, listener: TakeOverListener) {
    this.#random = random
    this.#listener = listener
  }

  /** As the process of this life has it. */
  of(life: Mortality): Storage {
    return {
      open: () => this.#pass(() => this.#storage.open()),
      own: async (whenInUse) => {
        const isInUse = this.#livingOwner !== null && this.#livingOwner !== life
        if (isInUse && whenInUse === 'refuse') {
          const [processId, host] = [1, 'world']
          throw new StorageInUseError({ file: 'world', schedule: 'default', processId, host })
        }
        this.#lockers.add(life)
        return isInUse
      },
      change: (decide) => this.#change(decide, life),
      save: (instanceId, records, watched) =>
        this.#pass(async () => {
          await this.#storage.save(instanceId, records, watched)
          this.#note(records)
        }),
      close: () => {
        this.#lockers.delete(life)
        return this.#pass(() => this.#storage.close())
      },
    }
  }

  get #livingOwner(): Mortality | null {
    const owner = this.#owner
    return owner === null || owner.isDead || !this.#lockers.has(owner) ? null : owner
  }

  async #change(decide: Parameters<Storage['change']>[0], life: Mortality): Promise<void> {
    let forget: readonly number[] = []
    let records: TaskRecord[] = []
    await this.#pass(
      async () => {
        await this.#storage.change((stored) => {
          const change = decide(stored)
          const takesOver = this.#livingOwner !== null && this.#livingOwner !== life
          if (takesOver) this.#listener(life)
          this.#owner = life
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
