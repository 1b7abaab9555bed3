import { countSchema, type JsonSchema, prose } from './json-schema.js'
import { mergeSchema } from './merge-schema.js'

/**
 * Of a Job only what people get wrong is spelt out; all else is kept as it is, also what Kubernetes
 * will have later. Nothing is required here that an admission webhook may be meant to add, but the
 * restart policy: without it, Kubernetes assumes one that it refuses for Jobs.
 */
const containerSchema: JsonSchema = {
  description: 'A container, as in any Pod.',
  type: 'object',
  required: ['name'],
  properties: {
    ...withValues(mergeSchema('Container')),
    name: { description: 'Its name, unique in the Pod.', type: 'string', minLength: 1 },
    image: { description: 'The image that it runs.', type: 'string' },
    command: {
      description: 'The program and its first arguments, instead of the entrypoint of the image.',
      type: 'array',
      items: { type: 'string' },
    },
    args: {
      description: 'Arguments of the program.',
      type: 'array',
      items: { type: 'string' },
    },
  },
  'x-kubernetes-preserve-unknown-fields': true,
}

/** A list of containers: those that several managers apply are merged by name. */
const containers = (description: string): JsonSchema => ({
  description: `${description} Those that several managers apply are merged by name.`,
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: containerSchema,
})

/** That the value of a variable is text is what is forgotten most often. */
function withValues(merged: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const { env } = merged
  const value: JsonSchema = { description: 'Text: "1", not 1.', type: 'string' }
  const items = { ...env!.items, properties: { ...env!.items!.properties, value } }
  return { ...merged, env: { ...env, items } }
}

const podSpecSchema: JsonSchema = {
  description: 'What the Pod runs: a PodSpec (kubectl explain pod.spec).',
  type: 'object',
  required: ['containers', 'restartPolicy'],
  properties: {
    ...mergeSchema('PodSpec'),
    restartPolicy: {
      description: prose`
        Never or OnFailure; Kubernetes allows no other for Jobs. Never creates a new Pod for each try,
        OnFailure starts the container again in the same Pod.
      `,
      type: 'string',
      enum: ['Never', 'OnFailure'],
    },
    containers: { ...containers('At least one container.'), minItems: 1 },
    initContainers: containers('They run one after the other, before the containers.'),
  },
  'x-kubernetes-preserve-unknown-fields': true,
}

const podTemplateSchema: JsonSchema = {
  description: 'The Pod that the Job creates (kubectl explain job.spec.template).',
  type: 'object',
  required: ['spec'],
  properties: { spec: podSpecSchema },
  'x-kubernetes-preserve-unknown-fields': true,
}

const jobSpecSchema: JsonSchema = {
  description: 'A JobSpec (kubectl explain job.spec); it reaches the Job as it is written.',
  type: 'object',
  required: ['template'],
  properties: {
    template: podTemplateSchema,
    backoffLimit: countSchema('How often a failed Pod is tried again. Kubernetes assumes 6.'),
    parallelism: countSchema('How many Pods may run at a time. Kubernetes assumes 1.'),
    completions: countSchema('How many Pods have to succeed. Kubernetes assumes 1.'),
    activeDeadlineSeconds: {
      description: 'After how many seconds the Job is stopped and counts as failed.',
      type: 'integer',
      format: 'int64',
      minimum: 1,
    },
    ttlSecondsAfterFinished: countSchema(prose`
      After how many seconds the finished Job is deleted, besides the history limits.
    `),
    manualSelector: {
      description: 'Leave it out: each period creates a Job of its own.',
      type: 'boolean',
      enum: [false],
    },
  },
  'x-kubernetes-preserve-unknown-fields': true,
}

const textMap = (description: string): JsonSchema => ({
  description,
  type: 'object',
  additionalProperties: { type: 'string' },
})

export const jobTemplateSchema: JsonSchema = {
  description: prose`
    The Job that each period creates, as in a CronJob. It is named after this resource and the
    period, and owned by this resource.

        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers:
                  - name: backup
                    image: example.com/backup:1.4
                    args: [--all]
  `,
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: {
      description: 'Labels and annotations of the Job. Those of kron.io/ are set by Kron.',
      type: 'object',
      properties: {
        labels: textMap('Labels of the Job; its Pods have those of spec.template.metadata.'),
        annotations: textMap('Annotations of the Job.'),
      },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    spec: jobSpecSchema,
  },
}
