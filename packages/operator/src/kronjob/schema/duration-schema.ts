import { formatDuration } from '@kron/core'
import type { CelRule, JsonSchema } from './json-schema.js'

/** As Go writes durations, and not below zero; `0` needs no unit. */
const durationPattern =
  '^\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$'

/** No duration within the limits needs more; without a bound, servers refuse rules on it. */
const longestText = 64

export const durationSchema = {
  type: 'string',
  pattern: durationPattern,
  maxLength: longestText,
} as const satisfies JsonSchema

/** That the duration which `path` names is not beyond its limit. */
export function atMost(path: string, mostMs: number): CelRule {
  const most = formatDuration(mostMs)
  return {
    rule: `!has(${path}) || duration(${path}) <= duration('${most}')`,
    message: `${path.replace(/^self\./, '')} must be at most ${most}`,
  }
}
