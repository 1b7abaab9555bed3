import pg from 'pg'
import type { Assignment } from '../contender.ts'
import { createSender, type Send } from '../sender.ts'
import { type Countdown, countdown } from './countdown.ts'
import { untilNoneLeft } from './until-none-left.ts'

/** The rounds of a queue on PostgreSQL: its requests, and when each has ended in its table. */
export class QueueRounds {
  readonly #observer: pg.Client
  readonly #unfinished: string
  #sendOne: Send | undefined
  #round: Countdown | undefined

  private constructor(observer: pg.Client, unfinished: string) {
    this.#observer = observer
    this.#unfinished = unfinished
  }

  /** `unfinished` is the query that counts what has not ended. */
  static async open(databaseUrl: string, unfinished: string): Promise<QueueRounds> {
    const observer = new pg.Client(databaseUrl)
    await observer.connect()
    return new QueueRounds(observer, unfinished)
  }

  begin({ count, targetUrl }: Assignment): void {
    this.#sendOne ??= createSender(targetUrl)
    this.#round = countdown(count, this.#sendOne)
  }

  send(id: number): Promise<void> {
    return this.#round!.send(id)
  }

  async ended(): Promise<void> {
    await this.#round!.done
    await untilNoneLeft(this.#observer, this.#unfinished)
  }
}
