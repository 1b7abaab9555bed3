/** What we use of the schemas that an API server publishes at `/openapi/v3`. */
export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> }
}

interface OpenApiSchema {
  readonly type?: string
  readonly $ref?: string
  readonly allOf?: readonly OpenApiSchema[]
  readonly enum?: readonly string[]
  readonly items?: OpenApiSchema
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema
  readonly required?: readonly string[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
}

const root = 'io.k8s.api.batch.v1.JobSpec'
/** A longer list of choices says nothing to people, and makes the file long. */
const maxChoices = 10
const width = 98

/**
 * The types inside a JobSpec, one after the other: a name, and below it the fields as
 * `name:type`, with `!` after a name that is required. A type is a scalar, the name of another,
 * `(a|b)` for choices, `{type}` for a map, `[type]` for a list, and `[type]@key` for one that is
 * merged by that key.
 */
export function jobSpecText({ components }: OpenApiDocument): string {
  const { schemas } = components
  const known = new Map<string, string>()
  const lines: string[] = []
  const visit = (id: string): void => {
    const name = nameOf(id)
    if (known.get(name) === id || isScalar(schemas[id]!)) return
    if (known.has(name)) throw new Error(`${id} and ${known.get(name)} have the same name`)
    known.set(name, id)
    const { properties = {}, required = [] } = schemas[id]!
    const fields = Object.keys(properties).sort()
    lines.push(name, ...wrapped(fields.map((field) => fieldText(field, required, properties))))
    for (const field of fields) for (const next of references(properties[field]!)) visit(next)
  }
  const fieldText = (
    field: string,
    required: readonly string[],
    properties: Readonly<Record<string, OpenApiSchema>>,
  ): string =>
    `${field}${required.includes(field) ? '!' : ''}:${typeText(properties[field]!, schemas)}`
  visit(root)
  return `${lines.join('\n')}\n`
}

const nameOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1)

/** Time, Quantity and IntOrString are types of their own, without fields. */
const isScalar = ({ properties, type }: OpenApiSchema): boolean =>
  properties === undefined && type !== 'object'

function references(schema: OpenApiSchema): string[] {
  const { $ref, allOf = [], items, additionalProperties } = schema
  const own = $ref === undefined ? [] : [$ref.slice($ref.lastIndexOf('/') + 1)]
  const inner = [
    ...allOf,
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
  ]
  return [...own, ...inner.flatMap(references)]
}

function typeText(schema: OpenApiSchema, schemas: Readonly<Record<string, OpenApiSchema>>): string {
  const [id] = schema.type === undefined ? references(schema) : []
  if (id !== undefined) return nameOf(id)
  if (schema.items !== undefined) {
    const keys = schema['x-kubernetes-list-map-keys'] ?? []
    const merged = keys.length > 0 ? `@${keys.join(',')}` : ''
    return `[${typeText(schema.items, schemas)}]${merged}`
  }
  if (schema.additionalProperties !== undefined) {
    return `{${typeText(schema.additionalProperties, schemas)}}`
  }
  const { enum: choices, type = 'object' } = schema
  return choices !== undefined && choices.length <= maxChoices ? `(${choices.join('|')})` : type
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(` ${word}`)
  }
  return lines
}
