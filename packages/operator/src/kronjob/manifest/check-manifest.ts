import { nearest } from '@kron/core'
import { isRecord } from '../schema/json-schema.js'
import { applyDefaults } from '../schema/kron-job-schema.js'
import { jobSpecProblems } from './job-spec-problems.js'
import { jobTemplateProblems, labelProblems } from './job-template-problems.js'
import { manifestSchema } from './manifest-schema.js'
import { type Problem, problem, samePath } from './problem.js'
import { schemaProblems } from './schema-problems.js'
import { specProblems } from './spec-problems.js'

/**
 * Everything that is wrong with a manifest of a KronJob, without a cluster: what the API server
 * would say, what the controller would say, and what would only show when the first Job is created.
 */
export function checkKronJob(value: unknown): Problem[] {
  const object = applyDefaults(value)
  const ofSchema = schemaProblems(object, manifestSchema, [])
  if (!isRecord(object)) return ofSchema
  const { metadata, spec } = object
  const ofCore = isRecord(spec) ? specProblems(metadata, spec) : []
  // Of two that are about the same field, core's says more than that a pattern does not match.
  const others = ofSchema.filter(({ path }) => !ofCore.some((one) => samePath(one.path, path)))
  const said = [...others, ...ofCore, ...problemsOfMetadata(metadata), ...problemsOfTemplate(spec)]
  return [...said, ...problemsOfJobSpec(spec, said)]
}

/** What Kubernetes says of the Job, and nobody has said yet. */
function problemsOfJobSpec(spec: unknown, said: readonly Problem[]): Problem[] {
  const template = isRecord(spec) ? spec['jobTemplate'] : undefined
  if (!isRecord(template)) return []
  return jobSpecProblems(template['spec'], ['spec', 'jobTemplate', 'spec']).filter(
    (one) => !said.some((other) => samePath(other.path, one.path) || isSameSlip(other, one)),
  )
}

/** A field that is missing, and one beside it that was meant to be it. */
function isSameSlip(missing: Problem, unknown: Problem): boolean {
  if (missing.code !== 'KRON_FIELD_MISSING' || unknown.code !== 'KRON_FIELD_UNKNOWN') return false
  if (!samePath(missing.path.slice(0, -1), unknown.path.slice(0, -1))) return false
  return nearest(String(missing.path.at(-1)), [String(unknown.path.at(-1))], 1).length > 0
}

function problemsOfMetadata(metadata: unknown): Problem[] {
  if (!isRecord(metadata)) return []
  const { name, generateName, labels } = metadata
  const found = labelProblems(labels, ['metadata', 'labels'])
  if (name !== undefined || generateName !== undefined) return found
  return [problem(['metadata', 'name'], 'is required and missing', 'KRON_FIELD_MISSING'), ...found]
}

const problemsOfTemplate = (spec: unknown): Problem[] =>
  isRecord(spec) ? jobTemplateProblems(spec['jobTemplate'], ['spec', 'jobTemplate']) : []
