import { conditionTypes, outcomes } from '../kron-job.js'
import { type JsonSchema, prose } from './json-schema.js'

const text = (description: string): JsonSchema => ({ description, type: 'string' })
const instant = (description: string): JsonSchema => ({
  description,
  type: 'string',
  format: 'date-time',
})
const whole = (description: string): JsonSchema => ({
  description,
  type: 'integer',
  format: 'int64',
})

const activeSchema: JsonSchema = {
  description: 'The Jobs of this resource that have not finished.',
  type: 'array',
  'x-kubernetes-list-type': 'atomic',
  items: {
    description: 'One of them.',
    type: 'object',
    required: ['apiVersion', 'kind', 'namespace', 'name', 'uid'],
    properties: {
      apiVersion: text('batch/v1.'),
      kind: text('Job.'),
      namespace: text('The namespace of the Job, which is that of this resource.'),
      name: text('The name of the Job.'),
      uid: text('The uid of the Job.'),
    },
  },
}

const conditionsSchema: JsonSchema = {
  description: prose`
    Ready (Jobs are created as scheduled), InvalidSpec (the spec is invalid; the message names the
    field), SchedulingError (Kubernetes refuses a Job), Unschedulable (the constraints allowed no
    time in the last window), Suspended.
  `,
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    description: 'One condition.',
    type: 'object',
    required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
    properties: {
      type: { ...text('Which condition.'), enum: conditionTypes },
      status: { ...text('Whether it holds.'), enum: ['True', 'False', 'Unknown'] },
      reason: text('Why, in one word for programs.'),
      message: text('Why, in a sentence for people.'),
      lastTransitionTime: instant('Since when the status has its value.'),
      observedGeneration: whole('The generation of the resource that the condition is about.'),
    },
  },
}

export const statusSchema: JsonSchema = {
  description: 'The outcome of the last period and the time of the next one; written by Kron.',
  type: 'object',
  properties: {
    observedGeneration: whole('The generation of the resource that this status is about.'),
    checkedGeneration: whole(prose`
      The generation whose jobTemplate the API server has checked, without creating a Job. What it
      found wrong is in condition InvalidSpec.
    `),
    responsibleSince: instant(prose`
      Since when this resource has its present timing. Periods before it are not judged,
      unless policy.first is run.
    `),
    timing: text(prose`
      A fingerprint of schedule, timezone, window, distribution, seed and constraints. It changes
      with the timing.
    `),
    lastPeriodID: text('The last period that was handled: its nominal time, in UTC.'),
    lastNominalTime: instant('Its nominal time.'),
    lastChosenTime: instant(
      'The time that was chosen in its window; absent if it was unschedulable.',
    ),
    lastOutcome: { ...text('Its outcome.'), enum: outcomes },
    lastReason: text('Why the period was not executed.'),
    nextPeriodID: text('The next period: its nominal time, in UTC.'),
    nextNominalTime: instant('Its nominal time.'),
    nextChosenTime: instant('The time that is chosen in its window.'),
    active: activeSchema,
    activeCount: { ...whole('How many Jobs have not finished.'), minimum: 0 },
    lastSuccessfulTime: instant('When a Job last completed.'),
    lastFailureTime: instant('When a Job last failed.'),
    conditions: conditionsSchema,
  },
}
