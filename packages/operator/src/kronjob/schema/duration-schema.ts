import { formatDuration } from '@kron/core'
import type { CelRule, JsonSchema } from './json-schema.js'

/** As Go writes durations, and not below zero; `0` needs no unit. */
const durationPattern =
  '^\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$'

/** No duration within the limits needs more; without a bound, servers refuse rules on it. */
const longestText = 64

export function durationSchema(
  description: string,
  mostMs: number,
  ...rules: readonly CelRule[]
): JsonSchema {
  return {
    description,
    type: 'string',
    pattern: durationPattern,
    maxLength: longestText,
    'x-kubernetes-validations': [atMost(mostMs), ...rules],
  }
}

function atMost(mostMs: number): CelRule {
  const most = formatDuration(mostMs)
  return { rule: `duration(self) <= duration('${most}')`, message: `must be at most ${most}` }
}
