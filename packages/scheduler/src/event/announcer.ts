import { failureReason } from '../failure/index.js'
import type { SchedulerEvent, StorageFailed } from './event.js'
import { levelOf, reasonOf, textOf } from './event-text.js'
import { consoleLogger, type Logger } from './logger.js'

export type EventListener = (event: SchedulerEvent) => void

/** Tells listener and logger what happens. Neither can stop the scheduler by what it throws. */
export class Announcer {
  readonly #listener: EventListener | undefined
  readonly #logger: Logger

  constructor(listener: EventListener | undefined, logger: Logger | undefined) {
    this.#listener = listener
    this.#logger = logger ?? consoleLogger
  }

  /** Whether anybody would notice an ordinary start; if not, it need not be put into words. */
  get hearsEverything(): boolean {
    return this.#listener !== undefined || this.#logger.debug !== undefined
  }

  announce(event: SchedulerEvent): void {
    harmless(
      () => this.#listener?.(event),
      (error) => this.#logFailure(`onEvent threw at ${event.type}`, error),
    )
    const level = levelOf(event)
    if (this.#logger[level] !== undefined) this.#log(level, textOf(event), event)
  }

  /** Something that should not have happened. */
  surprise(error: unknown): void {
    this.#logFailure('polling met something unexpected, and goes on', error)
  }

  #logFailure(sentence: string, error: unknown): void {
    const fields = thrown(error)
    this.#log('error', `${sentence}: ${reasonOf(fields.failure)}`, fields)
  }

  /** What is thrown here has no better place to go. */
  #log(level: keyof Logger, message: string, fields: object): void {
    harmless(
      () => this.#logger[level]?.(message, fields),
      () => undefined,
    )
  }
}

/** What was thrown, as events have it. */
export function thrown(error: unknown): Pick<StorageFailed, 'error' | 'failure'> {
  return { error, failure: failureReason(error) }
}

/** Also if it is asynchronous: a rejection that nobody handles would end the process. */
function harmless(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const answer = call()
    if (answer instanceof Object && 'then' in answer) Promise.resolve(answer).catch(failed)
  } catch (error) {
    failed(error)
  }
}
