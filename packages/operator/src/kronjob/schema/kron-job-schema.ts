import { constraintsSchema } from './constraints-schema.js'
import { distributionSchema } from './distribution-schema.js'
import { jobTemplateSchema } from './job-template-schema.js'
import { countSchema, isRecord, type JsonRecord, type JsonSchema, prose } from './json-schema.js'
import { policySchema } from './policy-schema.js'
import { statusSchema } from './status-schema.js'
import { scheduleSchema, seedSchema, timezoneSchema } from './timing-schema.js'
import { windowSchema } from './window-schema.js'

/** How many finished Jobs are kept by default; the same as for CronJobs. */
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

/** The one description of a KronJob: servers, `kubectl explain` and `kronctl` all read it. */
export const kronJobSchema: JsonSchema = {
  description: prose`
    A KronJob starts a Job in each period of a cron schedule, at a time that is chosen from a
    window: spread out, yet known in advance and the same for everyone who computes it.
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

/**
 * What an API server makes of a manifest before it looks at it: a null is as good as nothing, and
 * nothing becomes the default, if there is one. The object itself stays as it is.
 */
export function applyDefaults<T>(object: T): T {
  return withDefaults(object, kronJobSchema) as T
}

function withDefaults(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return listWithDefaults(value, schema)
  return isRecord(value) ? recordWithDefaults(value, schema) : value
}

function listWithDefaults(list: readonly unknown[], { items }: JsonSchema): readonly unknown[] {
  return items === undefined ? list : list.map((item) => withDefaults(item, items))
}

function recordWithDefaults(record: JsonRecord, schema: JsonSchema): JsonRecord {
  const { properties = {}, additionalProperties } = schema
  const result = new Map<string, unknown>()
  for (const [name, value] of Object.entries(record)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (known === undefined) result.set(name, value)
    else if (value !== null) result.set(name, withDefaults(value, known))
  }
  for (const [name, property] of Object.entries(properties)) {
    if (property.default === undefined || result.has(name)) continue
    result.set(name, withDefaults(structuredClone(property.default), property))
  }
  return Object.fromEntries(result)
}
