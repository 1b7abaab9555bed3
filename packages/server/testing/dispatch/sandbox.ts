import {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from '../../src/dispatch/dispatcher.js'
import type { ExchangeRequest, ExchangeResult } from '../../src/dispatch/exchange.js'
import { createAddressGuard } from '../../src/dispatch/guard/index.js'
import { Stop } from '../../src/dispatch/stop.js'
import type { LocalTarget } from './local-target.js'

/** Targets and dispatchers that may talk to each other, closed when a test is over. */
export class Sandbox {
  readonly #opened: { close(): Promise<void> }[] = []

  async up(target: Promise<LocalTarget>): Promise<LocalTarget> {
    const listening = await target
    this.#opened.unshift(listening)
    return listening
  }

  dispatcher(options: Partial<DispatcherOptions> = {}): Dispatcher {
    const addressGuard = createAddressGuard({ allow: ['127.0.0.0/8', '::1'] })
    const dispatcher = createDispatcher({ addressGuard, now: Date.now, ...options })
    this.#opened.unshift(dispatcher)
    return dispatcher
  }

  readonly close = async (): Promise<void> => {
    for (const each of this.#opened.splice(0)) await each.close()
  }
}

export const never = new Stop()

export function request(url: string, rest: Partial<ExchangeRequest> = {}): ExchangeRequest {
  return {
    tenantId: 'a tenant',
    method: 'GET',
    url,
    headers: {},
    body: null,
    timeoutMs: 10_000,
    maxResponseBytes: 65_536,
    redirects: 'refuse',
    ...rest,
  }
}

export const textOf = ({ body }: ExchangeResult): string => Buffer.from(body).toString()
