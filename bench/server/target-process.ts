import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Arrivals, Message, Order } from './target.ts'

/** The process that requests go to, seen from the one that measures. */
export class TargetProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(): Promise<{ target: TargetProcess; url: string }> {
    const child = fork(fileURLToPath(new URL('target.ts', import.meta.url)), {
      // A typed array crosses as it is.
      serialization: 'advanced',
    })
    const target = new TargetProcess(child)
    const { url } = await target.#next('url')
    return { target, url }
  }

  /** Forgets what has arrived, and waits for the runs of a new round. */
  reset(count: number): void {
    this.#order({ reset: count })
  }

  async log(): Promise<Arrivals> {
    const answer = this.#next('log')
    this.#order('log')
    return (await answer).log
  }

  stop(): void {
    this.#child.disconnect()
  }

  #order(order: Order): void {
    this.#child.send(order)
  }

  #next<Key extends string>(key: Key): Promise<Extract<Message, Record<Key, unknown>>> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        this.#child.off('message', onMessage)
        this.#child.off('exit', onExit)
        action()
      }
      const onMessage = (message: Message): void => {
        if (!(key in message)) return
        settle(() => resolve(message as Extract<Message, Record<Key, unknown>>))
      }
      const onExit = (): void => settle(() => reject(new Error('the target has ended')))
      this.#child.on('message', onMessage)
      this.#child.once('exit', onExit)
    })
  }
}
