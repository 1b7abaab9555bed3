import { type Dispatcher, Pool } from 'undici'

/** How many requests are under way at once, of everybody. */
export const connections = 32

/** Sends the request of a run, and resolves when it is answered with 200. */
export type Send = (id: number) => Promise<void>

class Answer implements Dispatcher.DispatchHandler {
  readonly #resolve: () => void
  readonly #reject: (error: Error) => void
  #status = 0

  constructor(resolve: () => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    if (this.#status === 200) this.#resolve()
    else this.#reject(new Error(`the target answered ${this.#status}`))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error)
  }
}

/** The same for everybody, so that what differs is who calls it. */
export function createSender(targetUrl: string): Send {
  const { origin, pathname } = new URL(targetUrl)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  return (id) =>
    new Promise((resolve, reject) => {
      pool.dispatch({ path: `${pathname}${id}`, method: 'GET' }, new Answer(resolve, reject))
    })
}
