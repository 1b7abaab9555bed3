import { quote } from '@kron/core'
import { noSystemQuotas, type Quotas } from '../domain/index.js'
import { badArgument, durationArgument } from './argument.js'

/** What quotas are called on a command line. */
export const quotaOptions = [
  ['endpoints', 'endpoints'],
  ['runsPerMonth', 'runs-per-month'],
  ['aiCallsPerMonth', 'ai-calls-per-month'],
  ['aiTokensPerMonth', 'ai-tokens-per-month'],
  ['requestsPerMinute', 'requests-per-minute'],
  ['minIntervalMs', 'min-interval'],
] as const satisfies readonly (readonly [keyof Quotas, string])[]

/** Those that may also be set for all tenants together. */
export const systemQuotaOptions = quotaOptions.filter(([name]) => name in noSystemQuotas)

/** `none` is no limit. */
export function quotaArgument(name: keyof Quotas, option: string, text: string): number | null {
  if (text === 'none') return null
  if (name === 'minIntervalMs') return durationArgument(option, text)
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badArgument(`${option} must be a whole number, or none for no limit, got ${quote(text)}`)
}
