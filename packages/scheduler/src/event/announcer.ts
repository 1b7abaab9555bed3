import { failureReason } from '../failure/failure-reason.js'
import type { SchedulerEvent, StorageFailed } from './event.js'
import { levelOf, reasonOf, taskOf, textOf } from './event-text.js'
import { FailureQuota } from './failure-quota.js'
import { consoleLogger, type Logger } from './logger.js'

export type EventListener = (event: SchedulerEvent) => void

/** Tells listener and logger what happens. Neither can stop the scheduler by what it throws. */
export class Announcer {
  readonly #listener: EventListener | undefined
  readonly #logger: Logger
  readonly #quota = new FailureQuota()

  constructor(listener: EventListener | undefined, logger: Logger | undefined) {
    this.#listener = listener
    this.#logger = logger ?? consoleLogger
  }

  /** Whether anybody would notice an ordinary start; if not, it need not be put into words. */
  get hearsEverything(): boolean {
    return this.#listener !== undefined || this.#logger.debug !== undefined
  }

  /** A listener hears each event. What is logged of failures has a limit, and then they count. */
  announce(event: SchedulerEvent): void {
    const now = event.time.getTime()
    this.tellCounted(now)
    harmless(
      () => this.#listener?.(event),
      (error) => this.#listenerFailed(event, error),
    )
    const level = levelOf(event)
    if (this.#logger[level] !== undefined && this.#isWithinQuota(event, now)) {
      this.#log(level, textOf(event), event)
    }
    if (event.type === 'SchedulerStopped') this.tellCounted(now, true)
  }

  /** Failures that were only counted, once their minute is over. */
  tellCounted(now: number, isEnd = false): void {
    for (const { sentence, failures } of this.#quota.summaries(now, isEnd)) {
      this.#log('warn', sentence, { failures })
    }
  }

  #isWithinQuota(event: SchedulerEvent, now: number): boolean {
    if (event.type !== 'TaskRunFailed') return true
    return this.#quota.admits(taskOf(event.taskName), reasonOf(event.failure), now)
  }

  #listenerFailed(event: SchedulerEvent, error: unknown): void {
    const subject = `onEvent at ${event.type}`
    const reason = reasonOf(failureReason(error))
    if (!this.#quota.admits(subject, reason, event.time.getTime())) return
    this.#logFailure(`onEvent threw at ${event.type}`, error)
  }

  /** Something that should not have happened. */
  surprise(error: unknown): void {
    this.#logFailure('polling met something unexpected and continues', error)
  }

  /** Something that may be right, and that people should know. */
  caution(sentence: string): void {
    this.#log('warn', sentence, {})
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
