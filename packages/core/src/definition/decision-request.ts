import { checkInstant } from '../calendar/instant.js'
import {
  type DecisionInput,
  type DecisionSpec,
  identityOf,
  placementFields,
  placementOf,
} from './decision-spec.js'
import { readFields, required, wholeInput } from './fields.js'
import { reported } from './flaw.js'

/** A decision asked for one period, without a compiled job. */
export interface DecisionRequest extends DecisionInput {
  /** Epoch milliseconds. */
  readonly nominalTime: number
}

export interface ResolvedDecisionRequest extends DecisionSpec {
  readonly nominalTime: number
}

const known = ['identity', 'nominalTime', ...placementFields]

export function resolveDecisionRequest(input: unknown): ResolvedDecisionRequest {
  const fields = readFields(input, wholeInput, known)
  const identity = identityOf(fields)
  const nominalTime = instantOf(required(fields, 'nominalTime'))
  return Object.freeze({ identity, nominalTime, ...placementOf(fields) })
}

function instantOf(value: unknown): number {
  const instant = reported(value)
  checkInstant(instant, 'nominalTime')
  return instant
}
