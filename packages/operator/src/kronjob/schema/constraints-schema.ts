import { limits } from '@kron/core'
import { type CelRule, celText, type JsonSchema, matching, prose } from './json-schema.js'
import { months, weekdays } from './timing-schema.js'

const blanks = '\\s*'
const time = '([01]?[0-9]|2[0-3]):[0-5][0-9]'
const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'

const valueOrRange = (value: string): string => `(${value})(${blanks}-${blanks}(${value}))?`

/** Each kind with the values that it takes, in a pattern and in words. */
const kinds: readonly [name: string, value: string, words: string][] = [
  ['hours', valueOrRange('[01]?[0-9]|2[0-3]'), 'hours are 0 to 23, such as hours=8-18'],
  [
    'dow',
    valueOrRange(`0?[0-7]|${weekdays}`),
    'days of the week are 0 to 7 or SUN to SAT, such as dow=MON-FRI',
  ],
  [
    'dom',
    valueOrRange('0?[1-9]|[12][0-9]|3[01]'),
    'days of the month are 1 to 31, such as dom=1,15',
  ],
  [
    'months',
    valueOrRange(`0?[1-9]|1[0-2]|${months}`),
    'months are 1 to 12 or JAN to DEC, such as months=JAN-MAR',
  ],
  [
    'between',
    `${time}${blanks}-${blanks}${time}`,
    'times are 00:00 to 23:59, such as between=22:00-06:00',
  ],
  ['date', date, 'dates are such as date=2026-12-24'],
  [
    'dates',
    `${date}${blanks}\\.\\.${blanks}${date}`,
    'ranges are such as dates=2026-12-24..2027-01-02',
  ],
]

const names = kinds.map(([name]) => name)
/** Names of kinds may be in capitals. */
const clause = `${blanks}(${names.join('|')})${blanks}=[^;=]+`
const clauses = `(?i)^${clause}(;${clause})*$`

/**
 * About the values of one kind. A rule has a price, by the length of its pattern and of the text
 * that it may meet, and a server refuses one that is too dear; so the premise is short, and a list is
 * taken value by value, the first with its name.
 */
function kindRule(name: string, value: string, words: string): CelRule {
  const others = names.filter((other) => other !== name).join('|')
  const own = `(${name}${blanks}=${blanks})?${value}${blanks}`
  const one = `${blanks}(${own}|(${others})${blanks}=[^;=]+)`
  const isThere = `self.matches(${celText(`(?i)${name}${blanks}=`)})`
  const isRight = `self.matches(${celText(`(?i)^(${one}([,;]|$))+$`)})`
  return { rule: `!${isThere} || ${isRight}`, message: words }
}

/** What a server can know of clauses; ranges that run backwards and 30 February are for core. */
export const clauseRules: readonly CelRule[] = [
  matching(
    clauses,
    `clauses are ${names.map((name) => `${name}=`).join(', ')}; several in one text are separated by ;`,
  ),
  ...kinds.map(([name, value, words]) => kindRule(name, value, words)),
]

/** A year of single dates fits; more is written as ranges. */
const longestClause = 4096

function clauseList(description: string): JsonSchema {
  return {
    description,
    type: 'array',
    maxItems: limits.clauses,
    default: [],
    items: {
      description: prose`
        hours=8-18, dow=MON-FRI, dom=1,15, months=JAN-MAR, between=22:00-06:00 (both minutes
        included), date=2026-12-24, or dates=2026-12-24..2027-01-02. Several in one text are
        separated by semicolons.
      `,
      type: 'string',
      minLength: 1,
      maxLength: longestClause,
      'x-kubernetes-validations': clauseRules,
    },
    'x-kubernetes-list-type': 'atomic',
  }
}

export const constraintsSchema: JsonSchema = {
  description: prose`
    Which times of the window may be chosen, in the time zone of this resource. If no time of a
    window is allowed, the period is unschedulable: no Job, and a condition that says so.

        constraints:
          only: [dow=MON-FRI, "hours=8-18"]
          avoid: ["between=12:00-13:00", date=2026-12-24]
  `,
  type: 'object',
  default: {},
  properties: {
    only: clauseList(prose`
      Clauses that must hold. Those of one kind are alternatives; one of each kind has to hold.
      Default: none.
    `),
    avoid: clauseList('Clauses of which none may hold. Default: none.'),
  },
  'x-kubernetes-validations': [
    {
      rule:
        '(has(self.only) ? size(self.only) : 0) + (has(self.avoid) ? size(self.avoid) : 0) ' +
        `<= ${limits.clauses}`,
      message: `only and avoid may have at most ${limits.clauses} clauses together`,
    },
  ],
}
