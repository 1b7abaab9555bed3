import { type CelRule, celText, matching } from './cel-rule.js'

const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
const weekdays = 'SUN|MON|TUE|WED|THU|FRI|SAT'
const blanks = '\\s*'
const time = '([01]?[0-9]|2[0-3]):[0-5][0-9]'
const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'

const valueOrRange = (value: string): string => `(${value})(${blanks}-${blanks}(${value}))?`

/** Each kind with what a value of it is, and how people are told of that. */
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
    `clauses are ${names.map((name) => `${name}=`).join(', ')}, several of them with ; between`,
  ),
  ...kinds.map(([name, value, words]) => kindRule(name, value, words)),
]
