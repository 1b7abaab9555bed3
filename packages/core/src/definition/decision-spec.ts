import { checkInstant } from '../calendar/instant.js'
import type { ConstraintSpec } from '../constraint/index.js'
import { type ConstraintInput, resolveConstraints } from './constraint-lists.js'
import {
  type DistributionInput,
  type DistributionSpec,
  resolveDistribution,
} from './distribution.js'
import { checkUnicode, type Fields, readFields, required, wholeInput } from './fields.js'
import { invalid, reported } from './flaw.js'
import { limits } from './limits.js'
import { resolveSeed, type SeedInput, type SeedSpec } from './seed.js'
import { resolveWindow, type WindowInput, type WindowSpec } from './window.js'

/** What a decision depends on besides its period, as people write it. */
export interface DecisionInput {
  /**
   * Stable name of the schedule entry, 1 to 1,024 bytes of UTF-8. A newline is allowed and hashed
   * as it is; it also separates the parts of the seed, so identities without it are unmistakable.
   */
  readonly identity: string
  readonly timezone?: string | undefined
  readonly window?: WindowInput | undefined
  readonly distribution?: DistributionInput | undefined
  readonly seed?: SeedInput | undefined
  readonly constraints?: ConstraintInput | undefined
}

/** The same, checked and with every default filled in. */
export interface DecisionSpec {
  readonly identity: string
  readonly timezone: string
  readonly window: WindowSpec
  readonly distribution: DistributionSpec
  readonly seed: SeedSpec
  readonly constraints: ConstraintSpec
}

/** All but the identity: what a schedule text can say about decisions. */
type Placement = Omit<DecisionSpec, 'identity'>

export const placementFields = ['timezone', 'window', 'distribution', 'seed', 'constraints']

export function placementOf(fields: Fields): Placement {
  return {
    timezone: timezoneOf(fields.get('timezone')),
    window: resolveWindow(fields.get('window')),
    distribution: resolveDistribution(fields.get('distribution')),
    seed: resolveSeed(fields.get('seed')),
    constraints: resolveConstraints(fields.get('constraints')),
  }
}

export function identityOf(fields: Fields): string {
  const identity = required(fields, 'identity')
  if (typeof identity !== 'string' || identity === '') {
    throw invalid('KRON_IDENTITY_INVALID', 'identity', identity, 'text that is not empty')
  }
  checkUnicode(identity, 'identity', limits.identityBytes, 'KRON_IDENTITY_INVALID')
  return identity
}

/** Only that it is a name at all; whether the zone exists is for the zone database to say. */
function timezoneOf(timezone: unknown): string {
  if (timezone === undefined) return 'UTC'
  if (typeof timezone === 'string' && timezone !== '') return timezone
  const allowed = 'an IANA name such as Europe/Paris'
  throw invalid('KRON_FIELD_INVALID', 'timezone', timezone, allowed)
}

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
