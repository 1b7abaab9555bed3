import { type ImportedText, leftOutComment } from '../imported-file.js'
import type { UnitEntry, UnitFile } from './unit-file.js'
import type { UnitNotes } from './unit-notes.js'

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
