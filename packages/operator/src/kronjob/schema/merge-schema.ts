import type { FieldType } from '../job-spec/job-spec-table.js'
import { jobSpecTable } from '../job-spec/job-spec-table.js'
import type { JsonSchema } from './json-schema.js'

/**
 * Which lists of a type are merged item by item, and by which keys, when two apply parts of them:
 * the same as in a Job. Without it, a server takes a list for one value, and the manager that applies
 * it last removes the other's containers and volumes. The schema says nothing else about the type.
 */
export function mergeSchema(typeName: string): Readonly<Record<string, JsonSchema>> {
  const found: Record<string, JsonSchema> = {}
  for (const [name, { type }] of jobSpecTable().get(typeName) ?? []) {
    // Debugging containers are added to Pods that run; no template has them.
    const schema = name === 'ephemeralContainers' ? null : schemaOf(name, type)
    if (schema !== null) found[name] = schema
  }
  return found
}

function schemaOf(name: string, type: FieldType): JsonSchema | null {
  if (type.kind === 'list') return type.keys.length === 0 ? null : mergedList(name, type)
  // Metadata inside a template is a matter of the controller that creates objects from it.
  if (type.kind !== 'object' || type.name === 'ObjectMeta') return null
  const properties = mergeSchema(type.name)
  if (Object.keys(properties).length === 0) return null
  return { ...open(`As in any Pod (kubectl explain pod.spec, ${name}).`), properties }
}

function mergedList(name: string, { of, keys }: Extract<FieldType, { kind: 'list' }>): JsonSchema {
  return {
    description: `As in any Pod; items that several managers apply are merged by ${keys.join(' and ')}.`,
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: {
      ...open(`One of ${name}.`),
      required: keys.filter((key) => defaultOf(key) === undefined),
      properties: {
        ...keyProperties(of, keys),
        ...(of.kind === 'object' && mergeSchema(of.name)),
      },
    },
  }
}

function keyProperties(of: FieldType, keys: readonly string[]): Record<string, JsonSchema> {
  const fields = of.kind === 'object' ? jobSpecTable().get(of.name) : undefined
  return Object.fromEntries(
    keys.map((key) => {
      const type = fields?.get(key)?.type
      const isNumber = type?.kind === 'scalar' && type.name === 'integer'
      const fallback = defaultOf(key)
      const schema: JsonSchema = {
        description: 'What it is merged by.',
        type: isNumber ? 'integer' : 'string',
        ...(isNumber && { format: 'int32' }),
        ...(fallback !== undefined && { default: fallback }),
      }
      return [key, schema]
    }),
  )
}

/** A key must be there; Kubernetes assumes only this one. */
const defaultOf = (key: string): string | undefined => (key === 'protocol' ? 'TCP' : undefined)

const open = (description: string): JsonSchema => ({
  description,
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
})
