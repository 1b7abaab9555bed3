import { zoneNames } from '@kron/core'
import { manifestSchema } from '../../packages/operator/src/kronjob/manifest/manifest-schema.js'
import type { JsonSchema } from '../../packages/operator/src/kronjob/schema/json-schema.js'
import { ruleSchemas } from './cel-schema.ts'
import type { EditorSchema } from './editor-schema.ts'
import { jobSpecDefinitions, mergedWithJob } from './job-definitions.ts'

/**
 * The definition of KronJob as draft 7 of JSON Schema, which editors read. Generated from what the API
 * server and `kronctl validate` go by, and closed: a field that does not exist is underlined.
 */
export function editorSchemaOf(schema: JsonSchema): EditorSchema {
  const {
    items,
    properties,
    additionalProperties,
    exclusiveMinimum,
    minimum,
    format,
    'x-kubernetes-preserve-unknown-fields': isOpen,
    'x-kubernetes-list-type': _listType,
    'x-kubernetes-list-map-keys': _listKeys,
    'x-kubernetes-validations': rules = [],
    ...same
  } = schema
  const allOf = rules.flatMap(ruleSchemas)
  return {
    // A structural schema has no type for a number that may also be written as text.
    ...(same.pattern !== undefined && { type: ['number', 'string'] }),
    ...same,
    ...(minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(format === 'date-time' && { format }),
    ...(items && { items: editorSchemaOf(items) }),
    ...(properties && { properties: mapped(properties), additionalProperties: isOpen === true }),
    ...(additionalProperties && { additionalProperties: editorSchemaOf(additionalProperties) }),
    ...(allOf.length > 0 && { allOf }),
  }
}

const mapped = (properties: Readonly<Record<string, JsonSchema>>): Record<string, EditorSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, editorSchemaOf(schema)]),
  )

/** Editors would list all of them. */
const noZone = 'must be the name of an IANA time zone, such as Europe/Paris'

function kronJob(): EditorSchema {
  const whole = editorSchemaOf(manifestSchema)
  const spec = whole.properties!['spec']!
  const jobTemplate = spec.properties!['jobTemplate']!
  return {
    ...whole,
    properties: {
      ...whole.properties,
      spec: {
        ...spec,
        properties: {
          ...spec.properties,
          timezone: { ...spec.properties!['timezone'], enum: zoneNames(), errorMessage: noZone },
          jobTemplate: {
            ...jobTemplate,
            properties: {
              ...jobTemplate.properties,
              spec: mergedWithJob(jobTemplate.properties!['spec']!, 'JobSpec'),
            },
          },
        },
      },
    },
  }
}

const document: EditorSchema = { $ref: '#/definitions/document' }
const kindIs = (kind: string): EditorSchema => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: kind } },
})

/** Other kinds may stand in the same file, and a list may hold KronJobs. */
export const kronJobEditorSchema: EditorSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'KronJob',
  $ref: '#/definitions/document',
  definitions: {
    document: {
      if: kindIs('List'),
      // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
      then: { type: 'object', properties: { items: { type: 'array', items: document } } },
      else: {
        if: {
          type: 'object',
          required: ['apiVersion'],
          properties: { apiVersion: { type: 'string', not: { pattern: '^kron\\.io/' } } },
          not: kindIs('KronJob'),
        },
        // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
        then: {},
        else: { $ref: '#/definitions/KronJob' },
      },
    },
    KronJob: kronJob(),
    ...jobSpecDefinitions(),
  },
}
