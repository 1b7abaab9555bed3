import { limits } from '@kron/core'
import { clauseRules } from './clause-rules.js'
import type { JsonSchema } from './json-schema.js'
import { prose } from './prose.js'

/** A year of single dates fits; more is written as ranges. */
const longestClause = 4096

function clauseList(description: string): JsonSchema {
  return {
    description,
    type: 'array',
    maxItems: limits.clauses,
    default: [],
    items: {
      description: prose`
        hours=8-18, dow=MON-FRI, dom=1,15, months=JAN-MAR, between=22:00-06:00 (both minutes
        included), date=2026-12-24, or dates=2026-12-24..2027-01-02. Several in one text are
        separated by semicolons.
      `,
      type: 'string',
      minLength: 1,
      maxLength: longestClause,
      'x-kubernetes-validations': clauseRules,
    },
    'x-kubernetes-list-type': 'atomic',
  }
}

export const constraintsSchema: JsonSchema = {
  description: prose`
    Which times of the window may be chosen, in the time zone of this resource. If no time of a
    window is allowed, the period is unschedulable: no Job, and a condition that says so.

        constraints:
          only: [dow=MON-FRI, "hours=8-18"]
          avoid: ["between=12:00-13:00", date=2026-12-24]
  `,
  type: 'object',
  default: {},
  properties: {
    only: clauseList(prose`
      Clauses that must hold. Those of one kind are alternatives; of each kind one has to hold.
      Default: none.
    `),
    avoid: clauseList('Clauses of which none may hold. Default: none.'),
  },
  'x-kubernetes-validations': [
    {
      rule:
        '(has(self.only) ? size(self.only) : 0) + (has(self.avoid) ? size(self.avoid) : 0) ' +
        `<= ${limits.clauses}`,
      message: `only and avoid may have at most ${limits.clauses} clauses together`,
    },
  ],
}
