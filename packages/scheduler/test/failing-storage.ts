import type { Storage } from '@kron/scheduler'

type Call = keyof Storage
/** Whether the work was done before the failure was reported. */
export type Mode = 'works' | 'fails before' | 'fails after'

/** A storage that fails when told to, in either of the two ways in which a storage can. */
export class FailingStorage implements Storage {
  readonly calls: Call[] = []
  /** Asked at each call, with its number. */
  plan: (call: Call, index: number) => Mode = () => 'works'
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  open = () => this.#pass('open', () => this.#storage.open())
  change: Storage['change'] = (decide) => this.#pass('change', () => this.#storage.change(decide))
  save: Storage['save'] = (...args) => this.#pass('save', () => this.#storage.save(...args))
  close = () => this.#pass('close', () => this.#storage.close())

  async #pass(call: Call, work: () => Promise<void>): Promise<void> {
    const mode = this.plan(call, this.calls.push(call) - 1)
    if (mode === 'fails before') throw new Error(`disk full at ${call}`)
    await work()
    if (mode === 'fails after') throw new Error(`timed out at ${call}`)
  }
}
