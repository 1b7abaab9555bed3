import type { Random } from './random.js'

/** As much of JSON Schema as the document of the API uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

export type Schemas = Readonly<Record<string, Schema>>

const texts = [
  'a',
  'Sync users',
  '*/5 * * * *',
  '0 2 * * * @win(after,1h)',
  '61 * * * *',
  'Europe/Berlin',
  'https://api.example.com/{{runId}}',
  'http://127.0.0.1/',
  'https://x.example/{{nothing}}',
  '{"a":"{{attempt}}"}',
  'aGVsbG8=',
  'default',
]

/** A value that the schema allows, as far as a schema can tell. */
export function allowedValue(schema: Schema, schemas: Schemas, random: Random): unknown {
  if (schema.$ref !== undefined) {
    return allowedValue(schemas[schema.$ref.split('/').at(-1)!]!, schemas, random)
  }
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.example !== undefined && random.chance(0.3)) return schema.example
  const type = Array.isArray(schema.type)
    ? random.pick(schema.type as readonly string[])
    : schema.type
  if (type === 'string') return textOf(schema, random)
  if (type === 'integer' || type === 'number') return numberOf(schema, type, random)
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'array') {
    const length = Math.max(schema.minItems ?? 0, random.below(4))
    return Array.from({ length }, () => allowedValue(schema.items ?? {}, schemas, random))
  }
  return type === 'object' ? objectOf(schema, schemas, random) : null
}

function textOf(schema: Schema, random: Random): string {
  if (schema.format === 'date-time') {
    const instant = Date.parse('2026-03-01T00:00:00Z') + random.below(10 * 86_400_000)
    return new Date(instant).toISOString()
  }
  if (schema.maxLength !== undefined && random.chance(0.05)) {
    return 'x'.repeat(random.pick([schema.maxLength, schema.maxLength + 1]))
  }
  return random.pick(texts)
}

function numberOf({ minimum = -5, maximum = 1e6 }: Schema, type: string, random: Random): number {
  if (random.chance(0.1)) return random.pick([minimum, maximum])
  const value = minimum + random.next() * (Math.min(maximum, minimum + 1e6) - minimum)
  return type === 'integer' ? Math.round(value) : value
}

function objectOf(schema: Schema, schemas: Schemas, random: Random): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) ?? false
    if (isNeeded || random.chance(0.15)) value[name] = allowedValue(property, schemas, random)
  }
  if (typeof schema.additionalProperties === 'object' && random.chance(0.5)) {
    value[random.pick(['x-a', 'Authorization', 'host', 'a b', ''])] = random.pick(texts)
  }
  return value
}

const nasty: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  'x'.repeat(10_000),
  '\0',
  '\ud800',
  '𝒳é\u202e',
  "'; DROP TABLE jobs; --",
  '{{runId}}',
  '{{',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  [],
  [[]],
  {},
  { toString: 1 },
  { constructor: { prototype: 1 } },
  Array.from({ length: 1001 }, () => 1),
]

export function nastyValue(random: Random): unknown {
  return random.pick(nasty)
}

/** The same value with something wrong at a random place. */
export function damaged(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return nastyValue(random)
  if (Array.isArray(value)) return [...value, nastyValue(random)]
  const fields = { ...(value as Record<string, unknown>) }
  const names = Object.keys(fields)
  if (names.length === 0 || random.chance(0.3)) {
    fields[random.pick(['nmae', 'id', 'constructor', 'tenantId', ''])] = nastyValue(random)
    return fields
  }
  const name = random.pick(names)
  if (random.chance(0.2)) delete fields[name]
  else fields[name] = damaged(fields[name], random)
  return fields
}
