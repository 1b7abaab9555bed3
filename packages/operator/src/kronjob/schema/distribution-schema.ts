import { type DistributionName, distributions, type ParameterName } from '@kron/core'
import type { CelRule } from './cel-rule.js'
import { parameterNames, paramsSchema } from './distribution-params-schema.js'
import type { JsonSchema } from './json-schema.js'
import { prose } from './prose.js'
import { usual } from './timing-schema.js'

const names = Object.keys(distributions) as DistributionName[]

/** What people are told of each distribution; which there are is core's to say. */
const meanings: Readonly<Record<DistributionName, string>> = {
  uniform: 'every second is as likely',
  skewEarly: 'more towards the beginning',
  skewLate: 'more towards the end',
  normal: 'a bell',
  exponential: 'falls off steeply from one end',
}

const meaningsText = names.map((name) => `${name}: ${meanings[name]}.`).join('\n')

/** Rules see a parameter by its type, which those that may be a number or text do not have. */
const isSeenByRules = (name: ParameterName): boolean =>
  paramsSchema.properties![name]!.type !== undefined

/** A rule for a parameter that not all distributions have. */
function ownersOnly(parameter: ParameterName): CelRule[] {
  const owners = names.filter((name) => distributions[name].includes(parameter))
  if (owners.length === names.length || !isSeenByRules(parameter)) return []
  const given = `has(self.params) && has(self.params.${parameter})`
  const list = owners.map((name) => `'${name}'`).join(', ')
  return [
    {
      rule: `!(${given}) || self.name in [${list}]`,
      message: `${parameter} is a parameter of ${owners.join(' and ')} only`,
    },
  ]
}

export const distributionSchema: JsonSchema = {
  description: prose`
    How the chosen times are spread over the window. Every choice is made by a seeded draw: known
    in advance, the same on every replica, and never outside of the window.
  `,
  type: 'object',
  default: {},
  properties: {
    name: {
      description: `${meaningsText}\nDefault: ${usual.distribution.name}.`,
      type: 'string',
      enum: names,
      default: usual.distribution.name,
    },
    params: paramsSchema,
  },
  'x-kubernetes-validations': parameterNames.flatMap(ownersOnly),
}
