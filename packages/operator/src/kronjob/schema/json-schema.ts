/** What we use of the schemas of OpenAPI v3 as Kubernetes has them: structural ones. */
export interface JsonSchema {
  /** Absent only beside `x-kubernetes-preserve-unknown-fields`: then anything goes. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly format?: 'int32' | 'int64' | 'date-time'
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | number | boolean)[]
  /** Means the same in Go and in JavaScript. */
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly 'x-kubernetes-preserve-unknown-fields'?: true
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-validations'?: readonly CelRule[]
}

/** An object of JSON: neither null nor a list. */
export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A rule in the Common Expression Language, which the server checks when a KronJob is applied. */
export interface CelRule {
  readonly rule: string
  /** What people read when it does not hold, after the path of the field and its value. */
  readonly message: string
}

/**
 * The rule form of a pattern: where a `pattern` fails, people are shown the regular expression,
 * and here they are shown words. It means the same in Go and in JavaScript, and has no quotes.
 */
export const matching = (pattern: string, message: string): CelRule => ({
  rule: `self.matches(${celText(pattern)})`,
  message,
})

/** As it is, without escapes. */
export const celText = (text: string): string => `r'${text}'`

/**
 * A description as `kubectl explain` shows it: lines flow together, empty lines part paragraphs,
 * and lines that are indented by four are shown as they are. The indentation of the code goes.
 */
export function prose(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const lines = String.raw({ raw: parts }, ...values)
    .replace(/^\n|\n *$/g, '')
    .split('\n')
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map(indentation))
  return lines.map((line) => line.slice(margin)).join('\n')
}

const indentation = (line: string): number => line.length - line.trimStart().length

/** From 0 up. That a format sets a limit is not checked by every server, so it is said. */
export const countSchema = (description: string): JsonSchema => ({
  description,
  type: 'integer',
  format: 'int32',
  minimum: 0,
  maximum: 2 ** 31 - 1,
})
