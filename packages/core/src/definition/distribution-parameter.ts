import { durationOf, formatDuration } from '../duration/index.js'
import { choice } from './choice.js'
import { invalid, outOfRange } from './flaw.js'
import { limits } from './limits.js'

export type ParameterName = 'shape' | 'lambda' | 'sigma' | 'mu' | 'dir' | 'sample'

type ReadParameter = (value: unknown, field: string) => number | string

export const parameterReaders: Readonly<Record<ParameterName, ReadParameter>> = {
  shape: (value, field) => positiveNumber(value, field, limits.shape),
  lambda: (value, field) => positiveNumber(value, field, limits.lambda),
  sigma: positiveDuration,
  mu: oneOf('nominal', 'start', 'mid', 'end'),
  dir: oneOf('early', 'late'),
  sample: oneOf('rejection', 'exact'),
}

function oneOf(...names: [string, ...string[]]): ReadParameter {
  return (value, field) => choice(value, field, names, 'KRON_PARAMETER_INVALID')
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

function positiveNumber(value: unknown, field: string, most: number): number {
  const allowed = `a number above 0 and at most ${most}`
  const readable = typeof value === 'number' || (typeof value === 'string' && decimal.test(value))
  const number = readable ? Number(value) : Number.NaN
  if (Number.isNaN(number)) throw invalid('KRON_PARAMETER_INVALID', field, value, allowed)
  if (number <= 0 || number > most) {
    throw outOfRange('KRON_PARAMETER_RANGE', field, value, allowed)
  }
  return number
}

function positiveDuration(value: unknown, field: string): number {
  const duration = durationOf(value, field)
  if (duration > 0 && duration <= limits.sigmaMs) return duration
  const allowed = `a duration above 0s and at most ${formatDuration(limits.sigmaMs)}`
  throw outOfRange('KRON_PARAMETER_RANGE', field, value, allowed)
}
