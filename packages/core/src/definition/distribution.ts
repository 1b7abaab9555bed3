import { ConfigurationError, nearest, quote, suggestion } from '../errors/index.js'
import { type ParameterName, readParameter } from './distribution-parameter.js'
import { choice, type Fields, readAnyFields, readFields } from './fields.js'

const parametersOf = {
  uniform: ['sample'],
  skewEarly: ['shape', 'sample'],
  skewLate: ['shape', 'sample'],
  normal: ['mu', 'sigma', 'sample'],
  exponential: ['lambda', 'dir', 'sample'],
} as const satisfies Readonly<Record<string, readonly ParameterName[]>>

export type DistributionName = keyof typeof parametersOf

/** Every distribution with its parameters; the first one is the default. */
export const distributions: Readonly<Record<DistributionName, readonly ParameterName[]>> =
  Object.freeze(parametersOf)

const names = Object.keys(parametersOf) as [DistributionName, ...DistributionName[]]

export interface DistributionSpec {
  readonly name: DistributionName
  /**
   * Those that were given: `shape` and `lambda` as numbers, `sigma` as milliseconds, `mu`, `dir`
   * and `sample` as text. `sample: 'rejection'` is the default and never kept.
   */
  readonly params: Readonly<Record<string, number | string>>
}

/** A bare name, or a name with parameters; `sigma` is a duration, as text or milliseconds. */
export type DistributionInput =
  | DistributionName
  | {
      readonly name?: DistributionName | undefined
      readonly params?: Readonly<Record<string, number | string | undefined>> | undefined
    }

/** One for the many jobs that say nothing about it. */
const defaultDistribution: DistributionSpec = Object.freeze({
  name: 'uniform',
  params: Object.freeze({}),
})

export function resolveDistribution(
  input: unknown,
  field = 'distribution',
  paramsField = `${field}.params`,
): DistributionSpec {
  const bare = typeof input === 'string'
  const fields: Fields = bare
    ? new Map([['name', input]])
    : readFields(input, field, ['name', 'params'])
  const name = choice<DistributionName>(
    fields.get('name'),
    bare ? field : `${field}.name`,
    names,
    'KRON_DISTRIBUTION_UNKNOWN',
  )
  const given = readAnyFields(fields.get('params'), paramsField)
  const params = parameters(name, given, paramsField)
  if (name === 'uniform' && Object.keys(params).length === 0) return defaultDistribution
  return Object.freeze({ name, params: Object.freeze(params) })
}

function parameters(
  name: DistributionName,
  given: Fields,
  field: string,
): Record<string, number | string> {
  const known: readonly string[] = distributions[name]
  for (const typed of given.keys()) {
    if (!known.includes(typed)) throw unknownParameter(name, typed, field)
  }
  const params: Record<string, number | string> = {}
  for (const parameter of distributions[name]) {
    const typed = given.get(parameter)
    if (typed === undefined) continue
    const value = readParameter(parameter, typed, `${field}.${parameter}`)
    if (value !== 'rejection') params[parameter] = value
  }
  return params
}

function unknownParameter(
  name: DistributionName,
  typed: string,
  field: string,
): ConfigurationError {
  const known = distributions[name]
  const path = `${field}.${typed}`
  const allowed = known.join(', ')
  return new ConfigurationError(
    'KRON_PARAMETER_UNKNOWN',
    `unknown parameter ${quote(path)}, ${name} has ${allowed}${suggestion(typed, known)}`,
    { field: path, value: typed, allowed, nearest: nearest(typed, known) },
  )
}
