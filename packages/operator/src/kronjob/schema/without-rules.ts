import type { JsonSchema } from './json-schema.js'

/** The same schema without rules, all the way down. */
export function withoutRules(schema: JsonSchema): JsonSchema {
  const { 'x-kubernetes-validations': _, properties, items, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(properties !== undefined && { properties: mapped(properties) }),
    ...(items !== undefined && { items: withoutRules(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: withoutRules(additionalProperties),
    }),
  }
}

const mapped = (properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withoutRules(schema)]),
  )
