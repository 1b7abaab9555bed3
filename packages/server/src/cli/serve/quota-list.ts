import { badArgument, durationArgument } from '@kron/command'
import { quote } from '@kron/core'
import { noSystemQuotas, type Quotas, type SystemQuotas, signupQuotas } from '../../domain/index.js'

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
  throw badArgument(
    option,
    `${option} must be a whole number, or none for no limit, got ${quote(text)}`,
  )
}

type QuotaOptions = readonly (readonly [keyof Quotas, string])[]

/**
 * Quotas of tenants that strangers make, such as `endpoints=20,min-interval=1m`: what is not said
 * has its default. None of them can be without limit.
 */
export function signupQuotasArgument(text: string | undefined): Quotas {
  const option = '--signup-quotas'
  const said = quotaList(option, text, quotaOptions)
  for (const [name, limit] of said) {
    if (limit !== null) continue
    const [, called] = quotaOptions.find(([each]) => each === name)!
    throw badArgument(option, `${option} ${called} must have a limit: anybody can sign up`)
  }
  return { ...signupQuotas, ...Object.fromEntries(said) }
}

/** Quotas of all tenants together: what is not said has no limit. */
export function systemQuotasArgument(text: string | undefined): SystemQuotas {
  const said = quotaList('--system-quotas', text, systemQuotaOptions)
  return { ...noSystemQuotas, ...Object.fromEntries(said) }
}

function quotaList(
  option: string,
  text: string | undefined,
  options: QuotaOptions,
): (readonly [keyof Quotas, number | null])[] {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => quotaOf(part, option, options))
}

function quotaOf(
  part: string,
  option: string,
  options: QuotaOptions,
): readonly [keyof Quotas, number | null] {
  const [name, value = ''] = part.split('=')
  const known = options.find(([, each]) => each === name)
  if (known === undefined) {
    const names = options.map(([, each]) => each).join(', ')
    throw badArgument(option, `${option} knows ${names}, got ${quote(part)}`)
  }
  return [known[0], quotaArgument(known[0], `${option} ${known[1]}`, value)]
}
