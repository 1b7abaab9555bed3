import { ConfigurationError, quote } from '../errors/index.js'

/**
 * `posix`: the five fields of IEEE 1003.1, numbers, ranges and lists only.
 * `standard`: what people write in crontabs: steps, names, 7 for Sunday, macros.
 * `extended`: `standard` with an optional seconds field, `?`, and Quartz's `L W #`.
 */
export type Dialect = 'posix' | 'standard' | 'extended'

export interface DialectRules {
  readonly steps: boolean
  readonly names: boolean
  readonly sundayAsSeven: boolean
  readonly macros: boolean
  readonly seconds: boolean
  readonly quartz: boolean
}

const rules: Readonly<Record<Dialect, DialectRules>> = {
  posix: rulesOf({}),
  standard: rulesOf({ steps: true, names: true, sundayAsSeven: true, macros: true }),
  extended: rulesOf({
    steps: true,
    names: true,
    sundayAsSeven: true,
    macros: true,
    seconds: true,
    quartz: true,
  }),
}

function rulesOf(allowed: Partial<DialectRules>): DialectRules {
  return {
    steps: false,
    names: false,
    sundayAsSeven: false,
    macros: false,
    seconds: false,
    quartz: false,
    ...allowed,
  }
}

export function dialectRules(dialect: Dialect): DialectRules {
  if (typeof dialect === 'string' && Object.hasOwn(rules, dialect)) return rules[dialect]
  throw new ConfigurationError(
    'KRON_FIELD_INVALID',
    `dialect must be posix, standard or extended, got ${quote(dialect)}`,
    { field: 'dialect', value: dialect, allowed: 'posix, standard, extended' },
  )
}
