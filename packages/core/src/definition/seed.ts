import { checkUnicode, choice, readFields } from './fields.js'
import { invalid } from './flaw.js'
import { limits } from './limits.js'

/** What the periods that share a seed have in common: nothing, their local date, their week. */
export type SeedStrategy = 'stable' | 'daily' | 'weekly'

export interface SeedSpec {
  readonly strategy: SeedStrategy
  readonly salt: string
}

export interface SeedInput {
  readonly strategy?: SeedStrategy | undefined
  readonly salt?: string | undefined
}

/** One for the many jobs that say nothing about it. */
const defaultSeed: SeedSpec = Object.freeze({ strategy: 'stable', salt: '' })

export function resolveSeed(input: unknown, field = 'seed'): SeedSpec {
  const fields = readFields(input, field, ['strategy', 'salt'])
  const strategy = choice<SeedStrategy>(
    fields.get('strategy'),
    `${field}.strategy`,
    ['stable', 'daily', 'weekly'],
    'KRON_SEED_STRATEGY_UNKNOWN',
  )
  const salt = saltOf(fields.get('salt'), `${field}.salt`)
  return strategy === 'stable' && salt === '' ? defaultSeed : Object.freeze({ strategy, salt })
}

function saltOf(value: unknown, field: string): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid('KRON_SALT_INVALID', field, value, 'text')
  checkUnicode(value, field, limits.saltBytes, 'KRON_SALT_INVALID')
  return value
}
