import { Semaphore } from '@kron/runtime'
import { TenantTurns } from '../../domain/tenant-turns.js'
import { StoreError } from '../store.js'
import { Reader } from './reader.js'

/** Each has a thread and a connection. */
const maxReaders = 2
/** Of one tenant one read is under way, so that a slow one leaves the other thread to others. */
const maxOfTenant = 1
const maxWaitingOfTenant = 200

/**
 * Threads that read, started when they are needed. What is read there may take its time: the
 * process goes on claiming and sending meanwhile.
 */
export class Readers {
  readonly #path: string
  readonly #turns = new TenantTurns(maxOfTenant, maxWaitingOfTenant)
  readonly #all = new Semaphore(maxReaders)
  readonly #idle: Reader[] = []
  readonly #open = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(path: string) {
    this.#path = path
  }

  /** Everything that the work asks is of one moment. */
  async read<T>(tenantId: string, work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('the store is closed')
    const turn = this.#turns.pass(tenantId, () => this.#all.run(() => this.#with(work)))
    if (turn === null) throw unavailable('too many reads of this tenant are waiting')
    this.#open.add(turn)
    return turn.finally(() => this.#open.delete(turn))
  }

  /** What is under way ends first. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#open)
    await Promise.all(this.#idle.splice(0).map((reader) => reader.close()))
  }

  async #with<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = this.#idle.pop() ?? new Reader(this.#path)
    try {
      await reader.ask('BEGIN')
      return await work(reader)
    } finally {
      // Nothing was changed: there is nothing to keep.
      await reader.ask('ROLLBACK').catch(() => undefined)
      if (!reader.isBroken) this.#idle.push(reader)
    }
  }
}

const unavailable = (message: string): StoreError => new StoreError('unavailable', message, 'no')
