import { limits, resolveScheduleSpec, zoneNames } from '@kron/core'
import { celText } from './cel-rule.js'
import type { JsonSchema } from './json-schema.js'
import { prose } from './prose.js'
import { scheduleRules } from './schedule-rules.js'

/** What holds where nothing is said. Core has the only list of it; the schema repeats it. */
export const usual = resolveScheduleSpec({ schedule: '@daily' })

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
    the clock are heeded: a time that is skipped has no period, a time that comes twice has two.
    Names and offsets are those of the database inside of Kron, not those of the node. Default:
    ${usual.timezone}.

        timezone: Europe/Paris
  `,
  type: 'string',
  minLength: 1,
  maxLength: 64,
  default: usual.timezone,
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
        ${usual.seed.strategy}.
      `,
      type: 'string',
      enum: ['stable', 'daily', 'weekly'],
      default: usual.seed.strategy,
    },
    salt: {
      description: prose`
        Any text. Another salt gives other times, for instance in a second cluster that runs the
        same resources and should not run them in the same seconds. Default: none.

            salt: cluster-eu-2
      `,
      type: 'string',
      maxLength: limits.saltBytes,
      default: usual.seed.salt,
    },
  },
}
