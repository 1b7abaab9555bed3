import { kronJobs } from '../../kube/kube-object.js'
import { kronJobApiVersion } from '../crd.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { kronJobSchema } from '../schema/kron-job-schema.js'

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const textMap: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }
const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/** What a server writes into metadata is let pass, for manifests that come from `kubectl get`. */
const metadataSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      pattern: `^${dnsLabel}(\\.${dnsLabel})*$`,
    },
    generateName: { type: 'string' },
    namespace: { type: 'string', minLength: 1, maxLength: 63, pattern: `^${dnsLabel}$` },
    labels: textMap,
    annotations: textMap,
    finalizers: { type: 'array', items: { type: 'string' } },
    ownerReferences: anything,
    uid: anything,
    resourceVersion: anything,
    generation: anything,
    creationTimestamp: anything,
    deletionTimestamp: anything,
    deletionGracePeriodSeconds: anything,
    managedFields: anything,
    selfLink: anything,
  },
}

/** The schema of the resource, with what servers check of every resource by themselves. */
export const manifestSchema: JsonSchema = {
  ...kronJobSchema,
  required: ['apiVersion', 'kind', 'metadata', ...kronJobSchema.required!],
  properties: {
    ...kronJobSchema.properties,
    apiVersion: { type: 'string', enum: [kronJobApiVersion] },
    kind: { type: 'string', enum: [kronJobs.kind] },
    metadata: metadataSchema,
  },
}
