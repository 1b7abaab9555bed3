import { durationOf, formatDuration } from '../duration/index.js'
import { choice } from './fields.js'
import { invalid, outOfRange } from './flaw.js'
import { limits } from './limits.js'

/** A number or a duration above 0 and up to `most` (of milliseconds), or one of some words. */
export type ParameterShape =
  | { readonly kind: 'number'; readonly most: number }
  | { readonly kind: 'duration'; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly [string, ...string[]] }

const shapes = {
  shape: { kind: 'number', most: limits.shape },
  lambda: { kind: 'number', most: limits.lambda },
  sigma: { kind: 'duration', most: limits.sigmaMs },
  mu: { kind: 'word', words: ['nominal', 'start', 'mid', 'end'] },
  dir: { kind: 'word', words: ['early', 'late'] },
  sample: { kind: 'word', words: ['rejection', 'exact'] },
} as const satisfies Readonly<Record<string, ParameterShape>>

export type ParameterName = keyof typeof shapes

/** Every parameter that a distribution may have. */
export const distributionParameters: Readonly<Record<ParameterName, ParameterShape>> =
  Object.freeze(shapes)

export function readParameter(name: ParameterName, value: unknown, field: string): number | string {
  const shape: ParameterShape = shapes[name]
  switch (shape.kind) {
    case 'number':
      return positiveNumber(value, field, shape.most)
    case 'duration':
      return positiveDuration(value, field, shape.most)
    case 'word':
      return choice(value, field, shape.words, 'KRON_PARAMETER_INVALID')
  }
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

function positiveDuration(value: unknown, field: string, most: number): number {
  const duration = durationOf(value, field)
  if (duration > 0 && duration <= most) return duration
  const allowed = `a duration above 0s and at most ${formatDuration(most)}`
  throw outOfRange('KRON_PARAMETER_RANGE', field, value, allowed)
}
