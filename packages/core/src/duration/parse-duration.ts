import {
  durationForm,
  invalidDuration,
  negativeDuration,
  notADuration,
  tooLongDuration,
} from './duration-errors.js'
import {
  longestMilliseconds,
  longestNanoseconds,
  millisecondsOf,
  roundedToNanosecond,
} from './nanoseconds.js'

const nanosecondsPer: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
])
const unitNames = 'ns, us, ms, s, m or h'

/**
 * Reads a duration as Go's `time.ParseDuration` does, to the same nanosecond, and answers in
 * milliseconds. `0` needs no unit. A duration below zero is refused; `-0s` is not below zero.
 */
export function parseDuration(text: string, field = 'duration'): number {
  if (typeof text !== 'string') throw notADuration(text, field, durationForm)
  const signLength = text[0] === '+' || text[0] === '-' ? 1 : 0
  const bareZero = text.length === signLength + 1 && text[signLength] === '0'
  const nanoseconds = bareZero ? 0n : sumOfTerms(text, signLength, field)
  if (text[0] === '-' && nanoseconds > 0n) throw negativeDuration(text, field)
  if (nanoseconds > longestNanoseconds) throw tooLongDuration(text, field)
  return millisecondsOf(nanoseconds)
}

function sumOfTerms(text: string, start: number, field: string): bigint {
  const term = /(\d*)(\.?)(\d*)([^\d.]*)/y
  let sum = 0n
  let position = start
  do {
    term.lastIndex = position
    const [whole, digits, point, decimals, unit] = term.exec(text)! as unknown as Term
    const length = Math.max(1, whole.length)
    if (digits === '' && decimals === '') {
      throw invalidDuration(text, field, { reason: 'a number is missing', position, length })
    }
    position += digits.length + point.length + decimals.length
    const scale = nanosecondsPer.get(unit)
    if (scale === undefined) {
      const reason = unit === '' ? 'a unit is missing' : `unknown unit, use ${unitNames}`
      throw invalidDuration(text, field, { reason, position, length: Math.max(1, unit.length) })
    }
    sum += integerPart(digits) * BigInt(scale) + fractionalPart(decimals, scale)
    position += unit.length
  } while (position < text.length)
  return sum
}

type Term = [whole: string, digits: string, point: string, decimals: string, unit: string]

/** Longer numbers are beyond every limit, so their digits are not worth converting. */
const maxDigits = 19

function integerPart(digits: string): bigint {
  const significant = digits.replace(/^0+/, '')
  if (significant.length > maxDigits) return longestNanoseconds + 1n
  return BigInt(significant)
}

/**
 * Go's own arithmetic, floating point included, so that `0.3333333333333333333h` is twenty minutes
 * here as it is there: as many digits as fit into 63 bits, times the unit, cut to the nanosecond.
 */
function fractionalPart(decimals: string, unit: number): bigint {
  let digits = 0n
  let scale = 1
  for (const digit of decimals) {
    const longer = digits * 10n + BigInt(digit)
    if (longer > longestNanoseconds + 1n) break
    digits = longer
    scale *= 10
  }
  return BigInt(Math.trunc(Number(digits) * (unit / scale)))
}

const textOrNumber = `${durationForm}, or a finite number of milliseconds`

/** A duration given as text or as a number of milliseconds, in milliseconds. */
export function durationOf(value: unknown, field: string): number {
  if (typeof value === 'string') return parseDuration(value, field)
  if (typeof value !== 'number' || Number.isNaN(value))
    throw notADuration(value, field, textOrNumber)
  if (value < 0) throw negativeDuration(value, field)
  if (value === Number.POSITIVE_INFINITY) throw notADuration(value, field, textOrNumber)
  if (value > longestMilliseconds) throw tooLongDuration(value, field)
  return value === 0 ? 0 : roundedToNanosecond(value)
}
