import type { CelRule } from '../../packages/operator/src/kronjob/schema/json-schema.js'
import type { EditorSchema } from './editor-schema.ts'

const text = "r'((?:[^'])*)'"
const isPattern = new RegExp(`^self\\.matches\\(${text}\\)$`)
const isImplication = new RegExp(
  `^!self\\.matches\\(${text}\\) \\|\\| self\\.matches\\(${text}\\)$`,
)

/**
 * A rule of the API server as a schema, with its words. Those that compare durations, parameters or
 * lists have none: `kronctl validate` and the server check these.
 */
export function ruleSchemas({ rule, message }: CelRule): EditorSchema[] {
  const [, pattern] = isPattern.exec(rule) ?? []
  if (pattern !== undefined) return [saying(pattern, message)]
  const [, premise, conclusion] = isImplication.exec(rule) ?? []
  if (premise === undefined || conclusion === undefined) return []
  // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
  return [{ if: { pattern: inJavaScript(premise) }, then: saying(conclusion, message) }]
}

const saying = (pattern: string, patternErrorMessage: string): EditorSchema => ({
  pattern: inJavaScript(pattern),
  patternErrorMessage,
})

/** JavaScript has no `(?i)` in front of a pattern: each letter is written in both cases. */
export function inJavaScript(pattern: string): string {
  if (!pattern.startsWith('(?i)')) return pattern
  return pattern
    .slice('(?i)'.length)
    .replace(/\\.|\[[^\]]*\]|[a-zA-Z]/g, (part) =>
      part.length > 1 ? part : `[${part.toUpperCase()}${part.toLowerCase()}]`,
    )
}
