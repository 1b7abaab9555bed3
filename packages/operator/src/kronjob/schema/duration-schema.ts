import { formatDuration } from '@kron/core'
import { type CelRule, celText, type JsonSchema, matching } from './json-schema.js'

/** As Go writes durations, and not below zero; `0` needs no unit. */
const durationPattern =
  '^\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$'

/** No duration within the limits needs more; without a bound, servers refuse rules on it. */
const longestText = 64

export function durationSchema(
  description: string,
  maxMs: number,
  ...rules: readonly CelRule[]
): JsonSchema {
  return {
    description,
    type: 'string',
    maxLength: longestText,
    'x-kubernetes-validations': [isDuration, atMost(maxMs), ...rules.map(ofDurations)],
  }
}

const isDuration = matching(
  durationPattern,
  'must be a duration of 0s or more, such as 45s, 30m or 1h30m',
)

function atMost(maxMs: number): CelRule {
  const most = formatDuration(maxMs)
  const rule = `duration(self) <= duration('${most}')`
  return ofDurations({ rule, message: `must be at most ${most}` })
}

/** Of a text that is no duration, one rule says so; the others would fail in the server's words. */
const ofDurations = ({ rule, message }: CelRule): CelRule => ({
  rule: `!self.matches(${celText(durationPattern)}) || ${rule}`,
  message,
})
