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
    What is the case: Ready (it is scheduled), InvalidSpec (the spec means nothing; the message
    says which field), SchedulingError (Kubernetes refuses what is asked of it), Unschedulable (the
    constraints left no time in the last window), Suspended.
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
      lastTransitionTime: instant('Since when the status is what it is.'),
      observedGeneration: whole('The generation of the resource that it is about.'),
    },
  },
}

export const statusSchema: JsonSchema = {
  description: 'What came of the last period and when the next one runs; written by Kron.',
  type: 'object',
  properties: {
    observedGeneration: whole('The generation of the resource that this status is about.'),
    checkedGeneration: whole(prose`
      The generation whose jobTemplate the API server was asked about, without a Job being made.
      What it has against it is condition InvalidSpec.
    `),
    responsibleSince: instant(prose`
      Since when this resource has its present timing. Periods before it are not judged,
      unless policy.first is run.
    `),
    timing: text(prose`
      A fingerprint of schedule, timezone, window, distribution, seed and constraints, by which a
      change of the timing is noticed.
    `),
    lastPeriodID: text('The last period that was handled: its nominal time, in UTC.'),
    lastNominalTime: instant('When the schedule said that it was.'),
    lastChosenTime: instant('When in its window it was to run; absent if it was unschedulable.'),
    lastOutcome: { ...text('What came of it.'), enum: outcomes },
    lastReason: text('Why it was not executed.'),
    nextPeriodID: text('The next period: its nominal time, in UTC.'),
    nextNominalTime: instant('When the schedule says that it is.'),
    nextChosenTime: instant('When in its window it is going to run.'),
    active: activeSchema,
    activeCount: { ...whole('How many Jobs have not finished.'), minimum: 0 },
    lastSuccessfulTime: instant('When a Job last completed.'),
    lastFailureTime: instant('When a Job last failed.'),
    conditions: conditionsSchema,
  },
}
