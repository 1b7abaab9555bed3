import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '../../tools/postgres/index.ts'
import { ContenderProcess } from './contender-process.ts'
import { type Entry, versionOfEntry } from './contenders/index.ts'
import { measureRound, type Surface } from './measure.ts'
import { bestOf, type ContenderResult, type Round } from './results.ts'
import { settle } from './settle.ts'

/** One contender on its way through all rounds; out of them when it fails. */
export class Lane {
  readonly entry: Entry
  readonly #rounds: Round[] = []
  #failure: string | null = null
  #process: ContenderProcess | null = null
  #prepareMsOfOne = 0.3
  #databaseUrl = ''

  constructor(entry: Entry) {
    this.entry = entry
  }

  async start(server: PostgresServer, folder: string): Promise<void> {
    const { name } = this.entry
    const databaseUrl = await server.createDatabase()
    this.#databaseUrl = databaseUrl
    const ownFolder = mkdtempSync(join(folder, 'contender-'))
    try {
      this.#process = await ContenderProcess.start({ name, databaseUrl, folder: ownFolder })
    } catch (error) {
      this.#failure = (error as Error).message
    }
  }

  /** Not counted: the first rounds of a process run code that is not compiled yet. */
  async warmUp(surface: Surface, count: number): Promise<void> {
    await this.#measure(surface, count)
  }

  /** null: it has failed, now or before. */
  async round(surface: Surface, count: number): Promise<Round | null> {
    const round = await this.#measure(surface, count)
    if (round !== null) this.#rounds.push(round)
    return round
  }

  result(count: number): ContenderResult {
    return {
      name: this.entry.name,
      version: versionOfEntry(this.entry),
      count,
      best: bestOf(this.#rounds),
      rounds: this.#rounds,
      failure: this.#failure,
    }
  }

  stop(): void {
    this.#process?.stop()
    this.#process = null
  }

  async #measure(surface: Surface, count: number): Promise<Round | null> {
    if (this.#process === null) return null
    try {
      const expectedMs = this.#prepareMsOfOne * count
      const round = await measureRound(this.entry, this.#process, surface, count, expectedMs)
      this.#prepareMsOfOne = (round.prepareMs / count) * 1.5
      await settle(this.#databaseUrl)
      return round
    } catch (error) {
      const { at } = await surface.target.log()
      const arrived = at.filter((instant) => !Number.isNaN(instant)).length
      this.#failure = `${(error as Error).message}; ${arrived} of ${count} arrived`
      this.stop()
      return null
    }
  }
}
