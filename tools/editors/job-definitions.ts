import {
  type Field,
  type FieldType,
  jobSpecTable,
  kubernetesVersion,
  type ScalarName,
} from '../../packages/operator/src/kronjob/job-spec/job-spec-table.js'
import type { EditorSchema } from './editor-schema.ts'

const quantity = '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$'

const scalars: Readonly<Record<ScalarName, EditorSchema>> = {
  string: { type: 'string' },
  Time: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  IntOrString: { type: ['integer', 'string'] },
  Quantity: {
    type: ['number', 'string'],
    pattern: quantity,
    patternErrorMessage: 'must be an amount such as 500m, 2 or 1Gi',
  },
}

/** Every type inside a Job, as the API server of that Kubernetes defines it. */
export function jobSpecDefinitions(): Record<string, EditorSchema> {
  const definitions = [...jobSpecTable()].map(([name, fields]) => [name, objectOf(name, fields)])
  return Object.fromEntries(definitions) as Record<string, EditorSchema>
}

function objectOf(name: string, fields: ReadonlyMap<string, Field>): EditorSchema {
  const description = `${name} of Kubernetes ${kubernetesVersion}.`
  if (fields.size === 0) return { description, type: 'object' }
  return { description, type: 'object', ...requiredIn(fields), ...propertiesOf(fields) }
}

function propertiesOf(fields: ReadonlyMap<string, Field>) {
  const properties = [...fields].map(([name, { type }]) => [name, schemaOf(type)])
  return { properties: Object.fromEntries(properties), additionalProperties: false }
}

function requiredIn(fields: ReadonlyMap<string, Field>): { required?: string[] } {
  const required = [...fields].filter(([, field]) => field.isRequired).map(([name]) => name)
  return required.length === 0 ? {} : { required }
}

function schemaOf(type: FieldType): EditorSchema {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.name]
    case 'choice':
      return { type: 'string', enum: type.choices }
    case 'object':
      return { $ref: `#/definitions/${type.name}` }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.of) }
    case 'list':
      return { type: 'array', items: schemaOf(type.of) }
  }
}

/** What we say of a type, with all other fields that the type has. */
export function mergedWithJob(own: EditorSchema, typeName: string): EditorSchema {
  const fields = jobSpecTable().get(typeName)!
  const { properties } = propertiesOf(fields)
  const merged = Object.entries(own.properties ?? {}).map(([name, schema]) => [
    name,
    mergedField(schema, fields.get(name)!.type),
  ])
  return {
    ...own,
    properties: { ...properties, ...Object.fromEntries(merged) },
    additionalProperties: false,
  }
}

function mergedField(own: EditorSchema, type: FieldType): EditorSchema {
  if (type.kind === 'object') return mergedWithJob(own, type.name)
  if (type.kind === 'list' && type.of.kind === 'object' && own.items !== undefined) {
    return { ...own, items: mergedWithJob(own.items, type.of.name) }
  }
  return own
}
