import type { Dispatcher } from 'undici'

/** Throws if a request must not be sent any more. */
export type Guard = () => void

/** Of a request that is asked about once more at the moment when it is written to its socket. */
export interface GuardedOptions extends Dispatcher.RequestOptions {
  readonly guard?: Guard | undefined
}

/**
 * A request may wait in its pool for a connection, and the process may stand still meanwhile. What
 * was allowed when it was made may not be any more when it could go: it fails, and nothing is sent.
 */
export const guardedDispatch: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const { guard } = options as Dispatcher.DispatchOptions & { guard?: Guard }
    return dispatch(options, guard === undefined ? handler : new GuardedHandler(handler, guard))
  }

/** Nothing of the request has left; the cause is what the guard said. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

type Handler = Dispatcher.DispatchHandler
type Arguments<M extends keyof Handler> = Parameters<NonNullable<Handler[M]>>

class GuardedHandler implements Handler {
  readonly #handler: Handler
  readonly #guard: Guard

  constructor(handler: Handler, guard: Guard) {
    this.#handler = handler
    this.#guard = guard
  }

  /** What is thrown here ends the request before its first byte. */
  onRequestStart(...args: Arguments<'onRequestStart'>): void {
    try {
      this.#guard()
    } catch (cause) {
      throw new NotSent('the request was held back', { cause })
    }
    this.#handler.onRequestStart?.(...args)
  }

  onRequestUpgrade(...args: Arguments<'onRequestUpgrade'>): void {
    this.#handler.onRequestUpgrade?.(...args)
  }

  onResponseStart(...args: Arguments<'onResponseStart'>): void {
    this.#handler.onResponseStart?.(...args)
  }

  onResponseData(...args: Arguments<'onResponseData'>): void {
    this.#handler.onResponseData?.(...args)
  }

  onResponseEnd(...args: Arguments<'onResponseEnd'>): void {
    this.#handler.onResponseEnd?.(...args)
  }

  onResponseError(...args: Arguments<'onResponseError'>): void {
    this.#handler.onResponseError?.(...args)
  }
}
