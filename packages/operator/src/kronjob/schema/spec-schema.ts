import { constraintsSchema } from './constraints-schema.js'
import { countSchema } from './count-schema.js'
import { distributionSchema } from './distribution-schema.js'
import { jobTemplateSchema } from './job-template-schema.js'
import type { JsonSchema } from './json-schema.js'
import { policySchema } from './policy-schema.js'
import { prose } from './prose.js'
import { scheduleSchema, seedSchema, timezoneSchema } from './timing-schema.js'
import { windowSchema } from './window-schema.js'

/** How many finished Jobs are kept where nothing is said; as Kubernetes has it for CronJobs. */
export const defaultHistoryLimits = { successful: 3, failed: 1 } as const

function historyLimit(kind: 'successful' | 'failed'): JsonSchema {
  const description = prose`
    How many ${kind} Jobs are kept, the latest ones; older ones are deleted with their Pods and
    logs. 0 keeps none. Default: ${defaultHistoryLimits[kind]}.
  `
  return { ...countSchema(description), default: defaultHistoryLimits[kind] }
}

export const specSchema: JsonSchema = {
  description: prose`
    When to run, and what. Only schedule and jobTemplate are required.

        schedule: "0 2 * * *"
        timezone: Europe/Paris
        window: {duration: 3h}
        policy: {concurrency: forbid, deadline: 30m}
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [...]}}}}
  `,
  type: 'object',
  required: ['schedule', 'jobTemplate'],
  properties: {
    schedule: scheduleSchema,
    timezone: timezoneSchema,
    window: windowSchema,
    distribution: distributionSchema,
    seed: seedSchema,
    constraints: constraintsSchema,
    policy: policySchema,
    successfulJobsHistoryLimit: historyLimit('successful'),
    failedJobsHistoryLimit: historyLimit('failed'),
    jobTemplate: jobTemplateSchema,
  },
}
