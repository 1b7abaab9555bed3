import { formatDuration, limits } from '@kron/core'
import { windowModes } from '../kron-job.js'
import { durationSchema } from './duration-schema.js'
import { type JsonSchema, prose } from './json-schema.js'
import { defaultSpec } from './timing-schema.js'

const noTime = formatDuration(defaultSpec.window.duration)

export const windowSchema: JsonSchema = {
  description: prose`
    The stretch of time from which the start of each Job is chosen, so that many Jobs of the same
    schedule do not start in the same second. Without a window they start at the nominal time.

        window: {mode: after, duration: 3h}
  `,
  type: 'object',
  default: {},
  properties: {
    mode: {
      description: prose`
        after: the window begins at the nominal time. around: the nominal time is in its middle.
        Default: ${defaultSpec.window.mode}.
      `,
      type: 'string',
      enum: windowModes,
      default: defaultSpec.window.mode,
    },
    duration: {
      ...durationSchema(
        prose`
          How long the window is, such as 45s, 30m, 1h30m. At most
          ${formatDuration(limits.windowMs)} (366 days), and not longer than the shortest time
          between two periods: 24h for a daily schedule, 1h for an hourly one. Default: ${noTime},
          which starts each Job at the nominal time.
        `,
        limits.windowMs,
      ),
      default: noTime,
    },
  },
}
