import { ConfigurationError } from '@kron/core'
import type { Notice } from '../../crontab/index.js'
import type { Problem } from '../../krontab/index.js'
import { ProblemList } from '../../krontab/problem-list.js'
import type { UnitEntry, UnitFile } from './unit-file.js'

/** What is said about the entries of units while they are converted. */
export class UnitNotes {
  readonly notices: Notice[] = []
  readonly #problems = new Map<string, ProblemList>()

  /** Something that is not the same in krond, or not there at all. */
  note(unit: UnitFile, entry: UnitEntry, message: string): void {
    const { line, start, source } = entry
    const length = Math.max(1, source.length - start)
    this.notices.push({ file: unit.path, line, column: start + 1, length, source, message })
  }

  /** Something that systemd would refuse too, or that must be there; nothing is written then. */
  refuse(unit: UnitFile, entry: UnitEntry | null, message: string): void {
    const list = this.#problems.get(unit.path) ?? new ProblemList(unit.path)
    this.#problems.set(unit.path, list)
    const span =
      entry === null ? { start: 0, end: 1 } : { start: entry.start, end: entry.source.length }
    const details = { field: entry?.key ?? 'unit', value: entry?.value }
    const error = new ConfigurationError('KRON_CRONTAB_SYNTAX', message, details)
    list.add(entry?.line ?? 1, entry?.source ?? '', span, error)
  }

  get problems(): readonly Problem[] {
    return [...this.#problems.values()].flatMap((list) => list.sorted())
  }
}
