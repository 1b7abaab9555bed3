import type { ConstraintSpec } from '../constraint/index.js'
import { parseClauses, tooManyClauses } from '../constraint/parse-clauses.js'
import { readFields } from './fields.js'
import { limits } from './limits.js'

/** Clauses such as `hours=8-18`; several of one kind are alternatives. */
export interface ConstraintInput {
  readonly only?: string | readonly string[] | undefined
  readonly avoid?: string | readonly string[] | undefined
}

/** One for the many jobs that have none. */
const unconstrained: ConstraintSpec = Object.freeze({
  only: Object.freeze([]),
  avoid: Object.freeze([]),
})

const ownFields = { only: 'constraints.only', avoid: 'constraints.avoid' }

export function resolveConstraints(input: unknown, names = ownFields): ConstraintSpec {
  const fields = readFields(input, 'constraints', ['only', 'avoid'])
  const only = clausesOf(fields.get('only'), names.only)
  const avoid = clausesOf(fields.get('avoid'), names.avoid)
  if (only.length + avoid.length > limits.clauses) throw tooManyClauses(names.avoid)
  if (only.length + avoid.length === 0) return unconstrained
  return Object.freeze({ only: Object.freeze(only), avoid: Object.freeze(avoid) })
}

function clausesOf(value: unknown, field: string): string[] {
  return value === undefined ? [] : parseClauses(value, field)
}
