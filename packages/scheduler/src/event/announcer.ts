import type { SchedulerEvent } from './event.js'
import { levelOf, textOf } from './event-text.js'
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
    try {
      this.#listener?.(event)
    } catch (error) {
      this.#log('error', `onEvent threw at ${event.type}`, { error })
    }
    const level = levelOf(event)
    if (this.#logger[level] !== undefined) this.#log(level, textOf(event), event)
  }

  /** Something that should not have happened. */
  surprise(error: unknown): void {
    this.#log('error', 'polling met something unexpected, and goes on', { error })
  }

  /** What is thrown here has no better place to go. */
  #log(level: keyof Logger, message: string, fields: object): void {
    try {
      this.#logger[level]?.(message, fields)
    } catch {
      return
    }
  }
}
