import { ConfigurationError } from '@kron/core'
import type { Notice } from '../../crontab/index.js'
import type { Problem } from '../../krontab/index.js'
import { ProblemList } from '../../krontab/problem-list.js'
import { type ImportedText, leftOutComment } from '../imported-file.js'

/** `Key=value` of a unit file. */
export interface UnitEntry {
  readonly key: string
  readonly value: string
  /** 1-based line of the key. */
  readonly line: number
  /** Index of the value in that line. */
  readonly start: number
  readonly source: string
}

/** A unit file: the entries of each section, in order. */
export class UnitFile {
  readonly path: string
  readonly #sections: ReadonlyMap<string, readonly UnitEntry[]>

  constructor(path: string, text: string) {
    this.path = path
    this.#sections = sectionsOf(text)
  }

  has(section: string): boolean {
    return this.#sections.has(section)
  }

  entries(section: string): readonly UnitEntry[] {
    return this.#sections.get(section) ?? []
  }

  /** All values of a key that may come again; an empty one takes back those before it. */
  all(section: string, key: string): UnitEntry[] {
    const found = this.entries(section).filter((entry) => entry.key === key)
    const reset = found.findLastIndex(({ value }) => value === '')
    return found.slice(reset + 1)
  }

  /** The value that counts: the last one. */
  last(section: string, key: string): UnitEntry | undefined {
    return this.all(section, key).at(-1)
  }
}

function sectionsOf(text: string): Map<string, UnitEntry[]> {
  const sections = new Map<string, UnitEntry[]>()
  const lines = text.split(/\r?\n/)
  let entries: UnitEntry[] = []
  for (let at = 0; at < lines.length; at++) {
    const source = lines[at]!
    const section = /^\s*\[([^\]]+)\]\s*$/.exec(source)?.[1]
    if (section !== undefined) {
      entries = sections.get(section) ?? []
      sections.set(section, entries)
      continue
    }
    const match = /^(\s*([A-Za-z][\w-]*)\s*=\s*)(.*)$/.exec(source)
    if (match === null) continue
    const line = at + 1
    let value = match[3]!
    while (value.endsWith('\\') && at + 1 < lines.length) {
      at++
      // Comments between continued lines are not part of them.
      if (!/^\s*[#;]/.test(lines[at]!)) value = `${value.slice(0, -1)} ${lines[at]!.trim()}`
    }
    entries.push({ key: match[2]!, value: value.trim(), line, start: match[1]!.length, source })
  }
  return sections
}

const section = 'Unit'
const condition = /^(?:Condition|Assert)[A-Z]/

/** Keys for people, and those about how systemd itself orders and keeps units. */
const harmless = new Set(
  'Description Documentation SourcePath DefaultDependencies CollectMode After Before'.split(' '),
)

/**
 * What the `[Unit]` section of a timer or service says and a krontab can't. Conditions become
 * comments as well: without them a job runs where it did not run before.
 */
export function unitSectionComments(unit: UnitFile, notes: UnitNotes): ImportedText[] {
  const conditions = conditionsOf(unit)
  for (const entry of unit.entries(section)) {
    if (harmless.has(entry.key)) continue
    if (!condition.test(entry.key)) notes.note(unit, entry, `${entry.key} is not converted`)
    else if (conditions.includes(entry)) {
      notes.note(unit, entry, `not converted: ${reasonOf(entry)}, ${advice}`)
    }
  }
  return conditions.map((entry) => leftOutComment(reasonOf(entry), entry.source))
}

const reasonOf = ({ key }: UnitEntry): string => `krond does not check ${key}, the job always runs`
const advice = 'unless its command checks it'

/** Those in force: an empty one takes back all of its family before it, whatever they look at. */
function conditionsOf(unit: UnitFile): UnitEntry[] {
  const entries = unit.entries(section)
  return ['Condition', 'Assert'].flatMap((family) => {
    const found = entries.filter(({ key }) => condition.test(key) && key.startsWith(family))
    return found.slice(found.findLastIndex(({ value }) => value === '') + 1)
  })
}

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
