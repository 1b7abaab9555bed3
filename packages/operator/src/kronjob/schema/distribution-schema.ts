import { limits } from '@kron/core'
import { durationSchema } from './duration-schema.js'
import type { CelRule, JsonSchema } from './json-schema.js'
import { prose } from './prose.js'
import { usual } from './timing-schema.js'

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

const paramsSchema: JsonSchema = {
  description: prose`
    What the distribution can be told.

        skewEarly, skewLate   shape: 2       how strongly it leans, above 0; 1 is uniform
        normal                mu: mid        nominal, start, mid or end: where the bell is
                              sigma: 20m     the standard deviation; a sixth of the window
        exponential           lambda: 1      how steeply it falls, per window
                              dir: early     or late: at which end most are
        all                   sample: exact  draw among allowed seconds only; or rejection

        distribution: {name: normal, params: {mu: mid, sigma: 20m}}
  `,
  type: 'object',
  properties: {
    shape: numberOrText(
      limits.shape,
      prose`
        For skewEarly and skewLate: how strongly it leans, a number above 0 and at most
        ${limits.shape}. 1 is uniform. Default: 2.

            shape: 2.5
      `,
    ),
    lambda: numberOrText(
      limits.lambda,
      prose`
        For exponential: how steeply it falls, counted per window, a number above 0 and at most
        ${limits.lambda}. Default: 1.
      `,
    ),
    mu: {
      description: prose`
        For normal: where the middle of the bell is. Default: nominal for a window around the
        nominal time, mid for one after it.
      `,
      type: 'string',
      enum: ['nominal', 'start', 'mid', 'end'],
    },
    sigma: durationSchema(
      prose`
        For normal: the standard deviation, a duration above 0s such as 10m. Default: a sixth of
        the window.
      `,
      limits.sigmaMs,
      { rule: "duration(self) > duration('0s')", message: 'must be above 0s' },
    ),
    dir: {
      description: 'For exponential: at which end of the window most are. Default: early.',
      type: 'string',
      enum: ['early', 'late'],
    },
    sample: {
      description: prose`
        How constraints are kept. rejection: draw up to 64 times until a time is allowed; if none
        is, the period is unschedulable. exact: draw once, among the allowed seconds only; better
        when constraints leave little of the window. Default: rejection.
      `,
      type: 'string',
      enum: ['rejection', 'exact'],
    },
  },
  // A parameter that does not exist is reported by the controller, which a server that drops it
  // in silence would prevent.
  'x-kubernetes-preserve-unknown-fields': true,
}

function onlyOf(parameter: string, distribution: string): CelRule {
  const given = `has(self.params) && has(self.params.${parameter})`
  return {
    rule: `!(${given}) || self.name == '${distribution}'`,
    message: `${parameter} is a parameter of ${distribution} only`,
  }
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
      description: prose`
        uniform: every second is as likely. skewEarly, skewLate: more towards the beginning or the
        end. normal: a bell. exponential: falls off steeply from one end. Default:
        ${usual.distribution.name}.
      `,
      type: 'string',
      enum: ['uniform', 'skewEarly', 'skewLate', 'normal', 'exponential'],
      default: usual.distribution.name,
    },
    params: paramsSchema,
  },
  'x-kubernetes-validations': [
    onlyOf('mu', 'normal'),
    onlyOf('sigma', 'normal'),
    onlyOf('dir', 'exponential'),
  ],
}
