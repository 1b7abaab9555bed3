import { quote } from '@kron/core'
import { noSystemQuotas, type Quotas, type SystemQuotas, signupQuotas } from '../../domain/index.js'
import { badArgument } from '../argument.js'
import { quotaArgument, quotaOptions, systemQuotaOptions } from '../quota-options.js'

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
    throw badArgument(`${option} ${called} must have a limit: anybody can sign up`)
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
    throw badArgument(`${option} knows ${names}, got ${quote(part)}`)
  }
  return [known[0], quotaArgument(known[0], `${option} ${known[1]}`, value)]
}
