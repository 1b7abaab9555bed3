import { type Dialect, parseCron } from '../cron/index.js'
import { readFields } from '../definition/fields.js'
import {
  resolveConstraints,
  resolveDistribution,
  resolvePolicy,
  resolveSeed,
  resolveWindow,
  type ScheduleSpec,
} from '../definition/index.js'
import { resolveDialect, withSingleSpaces } from '../definition/job-definition.js'
import { KronError } from '../errors/index.js'
import { zone } from '../zone/index.js'
import { modifierNames, modifierStart } from './modifier.js'
import { Modifiers, type Values, withDetails } from './modifiers.js'
import { notText, Scanner, withoutBlanks } from './scanner.js'

export interface ScheduleOptions {
  readonly dialect?: Dialect | undefined
  /** The zone of a text without `@tz`, instead of UTC. */
  readonly timezone?: string | undefined
}

/**
 * Reads `<cron> [@tz(zone)] [@win(mode,duration)] [@dist(name,k=v)] [@seed(strategy,salt=..)]
 * [@policy(k=v)] [@only(clause;clause)] [@avoid(clause;clause)]`. Modifiers come in any order, each
 * at most once; a value is bare, or in double quotes with the escapes of JSON. Every error says
 * where in the text it is.
 */
export function parseSchedule(text: string, options?: ScheduleOptions): ScheduleSpec {
  if (typeof text !== 'string') throw notText(text)
  const given = readFields(options, 'options', ['dialect', 'timezone'])
  const dialect = resolveDialect(given.get('dialect'))
  const scanner = new Scanner(text)
  scanner.position = modifierStart.exec(text)?.index ?? text.length
  const schedule = cronOf(scanner, dialect)
  const modifiers = new Modifiers(scanner)
  return Object.freeze({
    schedule,
    dialect,
    timezone: modifiers.resolved('tz', (values) => timezoneOf(values, given.get('timezone'))),
    window: modifiers.resolved('win', (values) => resolveWindow(values, '@win')),
    distribution: modifiers.resolved('dist', ({ name, ...params } = {}) =>
      resolveDistribution({ name, params }, '@dist', '@dist'),
    ),
    seed: modifiers.resolved('seed', (values) => resolveSeed(values, '@seed')),
    constraints: modifiers.resolvedClauses((clauses) =>
      resolveConstraints(clauses, { only: '@only', avoid: '@avoid' }),
    ),
    policy: modifiers.resolved('policy', ({ suspend, ...rest } = {}) =>
      resolvePolicy({ ...rest, suspend: switchOf(suspend) }, '@policy'),
    ),
  })
}

const unopened = new RegExp(`@(?:${modifierNames.join('|')})(?![\\w-])`)

/** The cron expression is all that stands before the scanner. */
function cronOf(scanner: Scanner, dialect: Dialect): string {
  const before = scanner.text.slice(0, scanner.position)
  const bare = unopened.exec(before)
  if (bare !== null) {
    throw scanner.fail(
      'a modifier without parentheses',
      `${bare[0]}(...)`,
      bare.index,
      bare[0].length,
    )
  }
  const { start, end } = withoutBlanks(before)
  const cron = before.slice(start, end)
  try {
    parseCron(cron, dialect)
  } catch (error) {
    throw error instanceof KronError ? inWholeText(error, scanner.text, start) : error
  }
  return withSingleSpaces(cron)
}

function inWholeText(error: KronError, text: string, cronStart: number): KronError {
  const position = cronStart + (error.details.position ?? 0)
  const { value } = error.details
  const pointsAtValue = typeof value === 'string' && text.startsWith(value, position)
  const length = pointsAtValue ? Math.max(1, value.length) : 1
  return withDetails(error, { position, length, text })
}

function timezoneOf(values: Values | undefined, otherwise: unknown): string {
  const name = readFields(values, '@tz', ['zone']).get('zone')
  if (name === undefined) return otherwise === undefined ? 'UTC' : zone(otherwise as string).name
  try {
    return zone(name as string).name
  } catch (error) {
    throw error instanceof KronError ? withDetails(error, { field: '@tz.zone' }) : error
  }
}

const switchOf = (value: unknown): unknown =>
  value === 'true' ? true : value === 'false' ? false : value
