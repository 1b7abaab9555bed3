import { quote } from '@kron/core'
import { badArgument } from '../cli/argument.js'
import { quotaArgument, quotaOptions } from '../cli/quota-options.js'
import { type Quotas, signupQuotas } from '../domain/index.js'

const option = '--signup-quotas'

/**
 * Quotas of tenants that strangers make, such as `endpoints=20,min-interval=1m`: what is not said
 * has its default. None of them can be without limit.
 */
export function signupQuotasArgument(text: string | undefined): Quotas {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  const said = parts.filter((part) => part !== '').map(quotaOf)
  return { ...signupQuotas, ...Object.fromEntries(said) }
}

function quotaOf(part: string): readonly [keyof Quotas, number] {
  const [name, value = ''] = part.split('=')
  const known = quotaOptions.find(([, each]) => each === name)
  if (known === undefined) {
    const names = quotaOptions.map(([, each]) => each).join(', ')
    throw badArgument(`${option} knows ${names}, got ${quote(part)}`)
  }
  const limit = quotaArgument(known[0], `${option} ${known[1]}`, value)
  if (limit !== null) return [known[0], limit]
  throw badArgument(`${option} ${known[1]} must have a limit: anybody can sign up`)
}
