import type { CelRule } from './cel-rule.js'

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
