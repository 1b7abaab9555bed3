import type { JsonSchema } from './json-schema.js'
import { prose } from './prose.js'
import { specSchema } from './spec-schema.js'
import { statusSchema } from './status-schema.js'

/** The one description of a KronJob: servers, `kubectl explain` and `kronctl` all read it. */
export const kronJobSchema: JsonSchema = {
  description: prose`
    A KronJob starts a Job in each period of a cron schedule, at a time that is chosen from a
    window: spread out, yet known in advance and the same whoever computes it.
  `,
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { description: 'kron.io/v1alpha1', type: 'string' },
    kind: { description: 'KronJob', type: 'string' },
    metadata: { type: 'object' },
    spec: specSchema,
    status: statusSchema,
  },
}
