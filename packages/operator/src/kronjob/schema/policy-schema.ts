import { formatDuration, limits } from '@kron/core'
import { concurrencies, firstPeriods } from '../kron-job.js'
import { durationSchema } from './duration-schema.js'
import { type JsonSchema, prose } from './json-schema.js'
import { defaultSpec } from './timing-schema.js'

const noTime = formatDuration(defaultSpec.policy.deadline)

export const policySchema: JsonSchema = {
  description:
    'What happens when a run is late or overlaps the one before, and whether there are runs at all.',
  type: 'object',
  default: {},
  properties: {
    concurrency: {
      description: prose`
        While a Job of this resource still runs: forbid skips the period, allow starts another
        Job beside it, replace deletes the running Job and starts the new one once it is gone.
        Default: ${defaultSpec.policy.concurrency}.
      `,
      type: 'string',
      enum: concurrencies,
      default: defaultSpec.policy.concurrency,
    },
    deadline: {
      ...durationSchema(
        prose`
          How late a Job may still be started after its chosen time, for instance because the
          controller was down, such as 10m. At most ${formatDuration(limits.deadlineMs)}. Past it
          the period counts as missed and does not run later. Default: ${noTime}, which allows the
          chosen second alone.
        `,
        limits.deadlineMs,
      ),
      default: noTime,
    },
    suspend: {
      description: prose`
        true starts nothing from now on; running Jobs go on, and periods pass without an outcome.
        When it is false again, only the current period is considered: it is started if its
        deadline allows. Default: ${defaultSpec.policy.suspend}.
      `,
      type: 'boolean',
      default: defaultSpec.policy.suspend,
    },
    first: {
      description: prose`
        What to do with a period whose chosen time had passed when this resource was created, or
        when its timing was changed. wait: nothing, the first Job comes with the next period. run:
        the current period is judged like any other, and started if its deadline allows. Default:
        ${defaultSpec.policy.first}.
      `,
      type: 'string',
      enum: firstPeriods,
      default: defaultSpec.policy.first,
    },
  },
}
