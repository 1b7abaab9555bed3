import { formatDuration, limits } from '@kron/core'
import { atMost, durationSchema } from './duration-schema.js'
import type { JsonSchema } from './json-schema.js'
import { prose } from './prose.js'
import { usual } from './timing-schema.js'

export const policySchema: JsonSchema = {
  description: 'What happens when a run is late, overlaps the one before, or is not wanted.',
  type: 'object',
  default: {},
  properties: {
    concurrency: {
      description: prose`
        While a Job of this resource still runs: forbid skips the period, allow starts another
        Job beside it, replace deletes the running Job and starts the new one once it is gone.
      `,
      type: 'string',
      enum: ['forbid', 'allow', 'replace'],
      default: usual.policy.concurrency,
    },
    deadline: {
      description: prose`
        How late a Job may still be started after its chosen time, for instance because the
        controller was down, such as 10m. At most ${formatDuration(limits.deadlineMs)}. Past it
        the period counts as missed and is not made up for. 0s allows for the chosen second
        alone.
      `,
      ...durationSchema,
      default: formatDuration(usual.policy.deadline),
    },
    suspend: {
      description: prose`
        true starts nothing from now on; running Jobs go on. Periods that pass meanwhile are not
        made up for when it is false again.
      `,
      type: 'boolean',
      default: usual.policy.suspend,
    },
  },
  'x-kubernetes-validations': [atMost('self.deadline', limits.deadlineMs)],
}
