import { isRecord, type JsonRecord } from './json-record.js'
import type { JsonSchema } from './schema/json-schema.js'
import { kronJobSchema } from './schema/kron-job-schema.js'

/**
 * What an API server makes of a manifest before it looks at it: a null is as good as nothing, and
 * nothing becomes the default, if there is one. The object itself stays as it is.
 */
export function applyDefaults<T>(object: T): T {
  return withDefaults(object, kronJobSchema) as T
}

function withDefaults(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return listWithDefaults(value, schema)
  return isRecord(value) ? recordWithDefaults(value, schema) : value
}

function listWithDefaults(list: readonly unknown[], { items }: JsonSchema): readonly unknown[] {
  return items === undefined ? list : list.map((item) => withDefaults(item, items))
}

function recordWithDefaults(record: JsonRecord, schema: JsonSchema): JsonRecord {
  const { properties = {}, additionalProperties } = schema
  const result = new Map<string, unknown>()
  for (const [name, value] of Object.entries(record)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (known === undefined) result.set(name, value)
    else if (value !== null) result.set(name, withDefaults(value, known))
  }
  for (const [name, property] of Object.entries(properties)) {
    if (property.default === undefined || result.has(name)) continue
    result.set(name, withDefaults(structuredClone(property.default), property))
  }
  return Object.fromEntries(result)
}
