/** What we use of draft 7 of JSON Schema, and of what editors understand beside it. */
export interface EditorSchema {
  readonly $schema?: string
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  /** Shown instead of the pattern, by VS Code and the YAML language server. */
  readonly patternErrorMessage?: string
  /** The YAML language server shows this instead of its own message. */
  readonly errorMessage?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: EditorSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, EditorSchema>>
  readonly additionalProperties?: EditorSchema | boolean
  readonly allOf?: readonly EditorSchema[]
  readonly anyOf?: readonly EditorSchema[]
  readonly not?: EditorSchema
  readonly if?: EditorSchema
  readonly then?: EditorSchema
  readonly else?: EditorSchema
  readonly definitions?: Readonly<Record<string, EditorSchema>>
}
