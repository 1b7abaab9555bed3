import { badArgument, countArgument } from '@kron/command'
import type { Quotas, Retention } from '../../domain/index.js'
import { quotaArgument, quotaOptions } from '../serve/quota-list.js'

export interface QuotaArguments {
  readonly endpoints?: string
  readonly runsPerMonth?: string
  readonly aiCallsPerMonth?: string
  readonly aiTokensPerMonth?: string
  readonly requestsPerMinute?: string
  readonly minInterval?: string
}

export interface RetentionArguments {
  readonly runDays?: string
  readonly runsPerEndpoint?: string
  readonly bodyDays?: string
}

type Options = readonly (readonly [name: string, option: string])[]

const retentionOptions = [
  ['runDays', '--run-days', 1, 36_500],
  ['runsPerEndpoint', '--runs-per-endpoint', 1, 100_000_000],
  ['bodyDays', '--body-days', 0, 36_500],
] as const

/** The quotas that are said, and only those. */
export function quotaChange(given: QuotaArguments): Partial<Quotas> {
  const entries = quotaOptions.flatMap(([name, option]) => {
    const text = name === 'minIntervalMs' ? given.minInterval : given[name]
    return text === undefined ? [] : [[name, quotaArgument(name, `--${option}`, text)] as const]
  })
  const options = quotaOptions.map(([name, option]) => [name, `--${option}`] as const)
  return said(Object.fromEntries(entries), options)
}

export function retentionChange(given: RetentionArguments): Partial<Retention> {
  const entries = retentionOptions.flatMap(([name, option, least, most]) => {
    const text = given[name]
    return text === undefined ? [] : [[name, countArgument(option, text, most, least)] as const]
  })
  const options = retentionOptions.map(([name, option]) => [name, option] as const)
  return said(Object.fromEntries(entries), options)
}

function said<Change extends object>(change: Change, options: Options): Change {
  if (Object.keys(change).length > 0) return change
  const names = options.map(([, option]) => option).join(', ')
  throw badArgument('quotas', 'nothing to change is named', `hint: use one or more of ${names}`)
}
