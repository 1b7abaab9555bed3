import { limits, resolveScheduleSpec, zoneNames } from '@kron/core'
import { seedStrategies } from '../kron-job.js'
import { type CelRule, celText, type JsonSchema, matching, prose } from './json-schema.js'

const macros = ['hourly', 'daily', 'midnight', 'weekly', 'monthly', 'yearly', 'annually']
export const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
export const weekdays = 'SUN|MON|TUE|WED|THU|FRI|SAT'

/** The fields in their order: the values that each may have, in a pattern and in words. */
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
const scheduleRules: readonly CelRule[] = [
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

/** The defaults. Core has the only list of them; the schema repeats it. */
export const defaultSpec = resolveScheduleSpec({ schedule: '@daily' })

export const scheduleSchema: JsonSchema = {
  description: prose`
    When the periods are, as a cron expression of five fields (minute, hour, day of the month,
    month, day of the week) in the time zone of this resource. Each match is the nominal time of
    one period; the window says where in the period the Job is started.

    A field is *, a value, a range, a list of these, or a step after * or a range. Months and days
    of the week have names (JAN, MON); Sunday is 0 or 7. If both kinds of days are restricted, one
    of them has to match. @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually
    stand for what they say.

        schedule: "0 2 * * *"         every day at 02:00
        schedule: "*/15 8-18 * * MON-FRI"
        schedule: "@weekly"           Sundays at 00:00
  `,
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  'x-kubernetes-validations': scheduleRules,
}

export const timezoneSchema: JsonSchema = {
  description: prose`
    The IANA name of the time zone in which the schedule and the constraints are read. Changes of
    the clock are taken into account: a time that is skipped has no period, one that comes twice
    has two. Names and offsets are those of the database inside Kron, not those of the node. Default:
    ${defaultSpec.timezone}.

        timezone: Europe/Paris
  `,
  type: 'string',
  minLength: 1,
  maxLength: 64,
  default: defaultSpec.timezone,
  'x-kubernetes-validations': [
    {
      rule: `self in [${zoneNames().map(celText).join(', ')}]`,
      message: 'must be the name of an IANA time zone, such as Europe/Paris',
    },
  ],
}

export const seedSchema: JsonSchema = {
  description: prose`
    What the choice of a time depends on, besides the namespace and name of this resource. The
    same seed gives the same times: after a restart, under another leader, and in a forecast.
  `,
  type: 'object',
  default: {},
  properties: {
    strategy: {
      description: prose`
        Which periods share a draw. stable: none, each period has its own. daily: those of one
        local date are offset alike. weekly: those of one ISO week are offset alike. Default:
        ${defaultSpec.seed.strategy}.
      `,
      type: 'string',
      enum: seedStrategies,
      default: defaultSpec.seed.strategy,
    },
    salt: {
      description: prose`
        Any text. Another salt gives other times, for instance in a second cluster that runs the
        same resources and should not start them in the same seconds. Default: none.

            salt: cluster-eu-2
      `,
      type: 'string',
      maxLength: limits.saltBytes,
      default: defaultSpec.seed.salt,
    },
  },
}
