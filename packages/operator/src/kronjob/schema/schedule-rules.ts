import { type CelRule, matching } from './cel-rule.js'

const macros = ['hourly', 'daily', 'midnight', 'weekly', 'monthly', 'yearly', 'annually']
const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
const weekdays = 'SUN|MON|TUE|WED|THU|FRI|SAT'

/** The fields in their order: the values that each may have, and how people are told of them. */
const fields: readonly [values: string, words: string][] = [
  ['0*[0-5]?[0-9]', 'minutes are 0 to 59'],
  ['0*(1?[0-9]|2[0-3])', 'hours are 0 to 23'],
  ['0*([1-9]|[12][0-9]|3[01])', 'days of the month are 1 to 31'],
  [`0*([1-9]|1[0-2])|${months}`, 'months are 1 to 12 or JAN to DEC'],
  [`0*[0-7]|${weekdays}`, 'days of the week are 0 to 7 or SUN to SAT'],
]

const gap = '[ \\t]+'
const field = '[^\\s]+'

/** `*` alone, or a list of values, ranges, and steps after `*` or a range. */
function fieldPattern(values: string): string {
  const step = '/0*[1-9][0-9]*'
  const element = `(\\*${step}|(${values})(-(${values})(${step})?)?)`
  return `(\\*|${element}(,${element})*)`
}

/** About one field. Macros, and what has too few fields to have this one, are not its business. */
function fieldRule(values: string, words: string, position: number): CelRule {
  const before = `(${field}${gap}){${position}}`
  const after = '([ \\t].*)?'
  const shorter = `(${field}[ \\t]*){0,${position}}`
  return matching(
    `(?i)^[ \\t]*(@.*|${before}${fieldPattern(values)}${after}|${shorter})$`,
    `${words}; a field is *, a value, a range such as 1-5, a list of these, or a step such as */2`,
  )
}

/** Everything that a server can know of a cron expression; that it matches at all is for core. */
export const scheduleRules: readonly CelRule[] = [
  matching(
    `^[ \\t]*(@[^\\s]*|${field}(${gap}${field}){4})[ \\t]*$`,
    'must have five fields (minute, hour, day of the month, month, day of the week) ' +
      'or be a macro such as @daily',
  ),
  matching(
    `(?i)^[ \\t]*([^@]*|@(${macros.join('|')})[ \\t]*)$`,
    `the macros are ${macros.map((name) => `@${name}`).join(', ')}`,
  ),
  ...fields.map(([values, words], position) => fieldRule(values, words, position)),
]
