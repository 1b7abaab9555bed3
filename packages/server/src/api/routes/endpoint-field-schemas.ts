import { z } from '@hono/zod-openapi'
import {
  defaultAdaptive,
  defaultBackoffMs,
  defaultJitter,
  defaultMaxDelayMs,
  defaultRetry,
  type EndpointDraft,
  type EndpointField,
  endpointFields,
  type FieldName,
  fieldNames,
  maxBudget,
  maxChangeOf,
  minBudget,
  type OwnValues,
} from '../../domain/index.js'
import { headerNamePattern } from '../../use-cases/index.js'
import { nameText } from '../field-schemas.js'

const maxHeaders = 100
/** A keyword of JSON Schema that the library has no type for. */
const headerNames: object = { propertyNames: { pattern: headerNamePattern.source } }
const headersSchema = z
  .record(z.string().min(1).max(256), z.string().max(8192))
  .refine((headers) => Object.keys(headers).length <= maxHeaders, {
    message: `must be ${maxHeaders} headers at most`,
    params: { code: 'too_many' },
  })
  .openapi({
    example: { authorization: 'Bearer secret' },
    ...headerNames,
    description: 'Kept encrypted and never shown. The value ••• keeps the one that is stored.',
  })

/** One way only to read any text: a semicolon is never part of a word. */
const mediaType = /^[!-:<-~]+(?: *;(?: *[!-:<-~]+)?)*$/

const jsonPointer = /^(?:\/(?:[^~/]|~[01])*){0,16}$/

const bodyKind = z.enum(['json', 'text', 'binary'])

const bodySchema = z
  .strictObject({
    kind: bodyKind,
    content: z.string().openapi({ description: 'As text; binary in base 64' }),
    contentType: z
      .string()
      .min(1)
      .max(200, { abort: true })
      .regex(mediaType, 'must be a media type')
      .nullable()
      .optional()
      .transform((type) => type ?? null)
      .openapi({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 200,
        pattern: mediaType.source,
      }),
  })
  .openapi('RequestBody')

const delayMs = z.number().int().min(0).max(3_600_000)

const retrySchema = z
  .strictObject({
    attempts: z.number().int().min(1).max(20).openapi({ description: 'The first included' }),
    backoffMs: delayMs
      .optional()
      .openapi({ default: defaultBackoffMs, description: 'By default never above maxDelayMs' }),
    maxDelayMs: delayMs
      .optional()
      .openapi({ default: defaultMaxDelayMs, description: 'By default never below backoffMs' }),
    jitter: z.number().min(0).max(1).optional().openapi({ default: defaultJitter }),
  })
  .transform(defaultRetry)
  .openapi('Retry')

/** Who reads URLs passes over blanks before the scheme, and its case. */
const urlPattern = '^\\s*[Hh][Tt][Tt][Pp][Ss]?:'

const urlText = z
  .string()
  .min(1)
  .max(8192)
  .openapi({ example: 'https://api.example.com/sync', pattern: urlPattern })

/** Fields with parts or rules of their own: as they are taken, and as they are shown. */
const ownSchemas: { readonly [Name in keyof OwnValues]: OwnSchema<OwnValues[Name]> } = {
  name: { taken: nameText, shown: z.string() },
  url: { taken: urlText, shown: z.string() },
  headers: { taken: headersSchema, shown: z.record(z.string(), z.string()) },
  body: {
    taken: bodySchema,
    shown: z.object({
      kind: bodyKind,
      content: z.string(),
      contentType: z.string().nullable(),
    }),
  },
  retry: {
    taken: retrySchema,
    shown: z.object({
      attempts: z.number(),
      backoffMs: z.number(),
      maxDelayMs: z.number(),
      jitter: z.number(),
    }),
  },
  adaptive: {
    taken: z.strictObject({
      outsideCron: z.boolean().default(defaultAdaptive.outsideCron),
      budget: z
        .number()
        .min(minBudget)
        .max(maxBudget)
        .default(defaultAdaptive.budget)
        .openapi({ description: "The part of the baseline's calls that may be made" }),
      changeOf: z
        .array(z.string().max(200).regex(jsonPointer, 'must be a JSON pointer, such as /status'))
        .max(maxChangeOf)
        .default([...defaultAdaptive.changeOf])
        .openapi({ description: 'JSON pointers to what counts as a change', example: ['/status'] }),
    }),
    shown: z.object({
      outsideCron: z.boolean(),
      budget: z.number(),
      changeOf: z.array(z.string()),
    }),
  },
}

interface OwnSchema<Value> {
  readonly taken: z.ZodType<Value>
  readonly shown: z.ZodType<Value>
}

function takenBy(name: FieldName, field: EndpointField): z.ZodType {
  switch (field.kind) {
    case 'own':
      return ownSchemas[name as keyof OwnValues].taken
    case 'text':
      return field.min === 0 ? z.string().max(field.max) : z.string().min(field.min).max(field.max)
    case 'whole':
      return z.number().int().min(field.min).max(field.max)
    default:
      return shownBy(name, field)
  }
}

function shownBy(name: FieldName, field: EndpointField): z.ZodType {
  switch (field.kind) {
    case 'own':
      return ownSchemas[name as keyof OwnValues].shown
    case 'text':
      return z.string()
    case 'whole':
      return z.number().int()
    case 'choice':
      return z.enum(field.values)
    case 'switch':
      return z.boolean()
  }
}

/** Schemas of all fields, or of those that have a default. */
function schemasOf<Schemas>(
  schemaOf: (name: FieldName, field: EndpointField) => z.ZodType | null,
): Schemas {
  const schemas = fieldNames.map((name) => [name, schemaOf(name, endpointFields[name])] as const)
  return Object.fromEntries(schemas.filter(([, schema]) => schema !== null)) as Schemas
}

type Setting = Exclude<FieldName, 'name' | 'url'>

/** Each may be left out; null is the default, also in place of what is stored. */
export const takenSettings = schemasOf<{
  readonly [Name in Setting]: z.ZodType<EndpointDraft[Name] | null | undefined>
}>((name, field) => {
  if (!('default' in field)) return null
  const { example, text } = field
  const pattern = field.kind === 'text' ? field.pattern?.source : undefined
  const schema = takenBy(name, field).nullable().optional()
  // What has a name in the document, or a description of its own, is described there.
  if (name === 'body' || name === 'retry' || name === 'headers') return schema
  return schema.openapi({
    ...(example !== undefined && { example }),
    ...(pattern !== undefined && { pattern }),
    description: text,
  })
})

export const takenName = ownSchemas.name.taken
export const takenUrl = ownSchemas.url.taken

export const shownFields = schemasOf<{
  readonly [Name in FieldName]: z.ZodType<EndpointDraft[Name]>
}>((name, field) => {
  const schema = shownBy(name, field)
  return field.default === null ? schema.nullable() : schema
})
