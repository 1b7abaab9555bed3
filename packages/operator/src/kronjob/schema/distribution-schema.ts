import {
  type DistributionName,
  distributionParameters,
  distributions,
  formatDuration,
  limits,
  type ParameterName,
} from '@kron/core'
import { durationSchema } from './duration-schema.js'
import { type CelRule, type JsonSchema, prose } from './json-schema.js'
import { defaultSpec } from './timing-schema.js'

/** What each parameter means; core has the list of them and of their values. */
const descriptions: Readonly<Record<ParameterName, string>> = {
  shape: prose`
    For skewEarly and skewLate: how strongly it leans, a number above 0 and at most
    ${limits.shape}. 1 is uniform. Default: 2.

        shape: 2.5
  `,
  lambda: prose`
    For exponential: how steeply it falls, counted per window, a number above 0 and at most
    ${limits.lambda}. Default: 1.
  `,
  sigma: prose`
    For normal: the standard deviation, a duration above 0s such as 10m. At most
    ${formatDuration(limits.sigmaMs)}. Default: a sixth of the window.
  `,
  mu: prose`
    For normal: where the middle of the bell is. Default: nominal for a window around the nominal
    time, mid for one after it.
  `,
  dir: 'For exponential: at which end of the window most are. Default: early.',
  sample: prose`
    How constraints are kept. rejection: draw up to 64 times until a time is allowed; if none is,
    the period is unschedulable. exact: draw once, among the allowed seconds only; better when
    constraints leave little of the window. Default: rejection.
  `,
}

/**
 * A number, also with a fraction, or text that holds one. A structural schema has no type for
 * that; without a type the server checks of each kind of value what can be checked of it, and the
 * controller the rest. Rules can't see such a field.
 */
function numberOrText(most: number, description: string): JsonSchema {
  return {
    description,
    minimum: 0,
    exclusiveMinimum: true,
    maximum: most,
    pattern: '^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?$',
    maxLength: 64,
    'x-kubernetes-preserve-unknown-fields': true,
  }
}

function parameterSchema(name: ParameterName): JsonSchema {
  const shape = distributionParameters[name]
  const description = descriptions[name]
  switch (shape.kind) {
    case 'number':
      return numberOrText(shape.most, description)
    case 'duration':
      return durationSchema(description, shape.most, {
        rule: "duration(self) > duration('0s')",
        message: 'must be above 0s',
      })
    case 'word':
      return { description, type: 'string', enum: shape.words }
  }
}

export const parameterNames = Object.keys(distributionParameters) as ParameterName[]

export const paramsSchema: JsonSchema = {
  description: prose`
    Parameters of the distribution.

        skewEarly, skewLate   shape: 2       how strongly it leans, above 0; 1 is uniform
        normal                mu: mid        nominal, start, mid or end: where the bell is
                              sigma: 20m     the standard deviation; a sixth of the window
        exponential           lambda: 1      how steeply it falls, per window
                              dir: early     or late: at which end most are
        all                   sample: exact  draw among allowed seconds only; or rejection

        distribution: {name: normal, params: {mu: mid, sigma: 20m}}
  `,
  type: 'object',
  properties: Object.fromEntries(parameterNames.map((name) => [name, parameterSchema(name)])),
  // A parameter that does not exist is reported by the controller, which a server that drops it
  // in silence would prevent.
  'x-kubernetes-preserve-unknown-fields': true,
}

const names = Object.keys(distributions) as DistributionName[]

/** What each distribution means; core has the list of them. */
const meanings: Readonly<Record<DistributionName, string>> = {
  uniform: 'every second is equally likely',
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
    in advance, the same on every replica, and never outside the window.
  `,
  type: 'object',
  default: {},
  properties: {
    name: {
      description: `${meaningsText}\nDefault: ${defaultSpec.distribution.name}.`,
      type: 'string',
      enum: names,
      default: defaultSpec.distribution.name,
    },
    params: paramsSchema,
  },
  'x-kubernetes-validations': parameterNames.flatMap(ownersOnly),
}
