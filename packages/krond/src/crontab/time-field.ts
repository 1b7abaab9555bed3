import { InvalidCronExpressionError } from '@kron/core'

/** One of the five positions of a crontab line. */
export interface TimeField {
  readonly name: 'minute' | 'hour' | 'day' | 'month' | 'weekday'
  readonly min: number
  readonly max: number
  /** What `min`, `min + 1`, ... may be called. */
  readonly names: readonly string[]
}

export const timeFields: readonly TimeField[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  },
  { name: 'weekday', min: 0, max: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
]

/** What a field matches, in cron's own terms. */
export interface TimeSet {
  /** Ascending; Sunday is 0. */
  readonly values: readonly number[]
  /** Whether it begins with `*`, steps or not: cron asks this of the two day fields. */
  readonly star: boolean
  /** The same as a field of a krontab schedule. */
  readonly text: string
}

/** A number from 0 to `choices - 1` for a random range, the same whenever it is asked. */
export type Pick = (choices: number) => number

const element = /^(?:\*|(?<low>\w*)(?:(?<dash>[-~])(?<high>\w*))?)(?:\/(?<step>\w*))?$/

/** Reads a field as cron does. `offset` is where it stands in the text that errors point into. */
export function readTimeField(
  text: string,
  field: TimeField,
  pick: Pick,
  within: { readonly text: string; readonly offset: number } = { text, offset: 0 },
): TimeSet {
  const found = new Set<number>()
  let position = within.offset
  for (const part of text.split(',')) {
    const fail: Fail = (reason) => {
      throw new InvalidCronExpressionError(within.text, field.name, reason, part, position)
    }
    for (const value of valuesOf(part, field, pick, fail)) {
      found.add(field.name === 'weekday' && value === 7 ? 0 : value)
    }
    position += part.length + 1
  }
  const values = [...found].sort((a, b) => a - b)
  const star = text.startsWith('*')
  return { values, star, text: krontabText(text, values, field) }
}

type Fail = (reason: string) => never

function valuesOf(part: string, field: TimeField, pick: Pick, fail: Fail): number[] {
  if (part === '') fail('has an empty list element')
  const match = element.exec(part)
  if (match === null) return fail(`can't be read: ${JSON.stringify(part)}`)
  const { low, dash, high, step } = match.groups as Record<string, string | undefined>
  if (dash === '~') return randomValues(field, low ?? '', high ?? '', step, pick, fail)
  if (low === undefined) return range(field.min, field.max, stepOf(step, fail))
  const first = numberOf(low, field, fail)
  if (dash === undefined) {
    if (step !== undefined) fail('has a step after a single value (a step follows * or a range)')
    return [first]
  }
  if (high === '') fail('has a range without an end')
  const last = numberOf(high ?? '', field, fail)
  if (first > last) fail(`has a range that runs backwards (${first} is after ${last})`)
  return range(first, last, stepOf(step, fail))
}

/** `0~59` is one number of the range; with a step, a range that begins at a random offset. */
function randomValues(
  field: TimeField,
  low: string,
  high: string,
  step: string | undefined,
  pick: Pick,
  fail: Fail,
): number[] {
  const first = low === '' ? field.min : numberOf(low, field, fail)
  // Sunday counts once where the end is left open.
  const defaultLast = field.name === 'weekday' ? 6 : field.max
  const last = high === '' ? defaultLast : numberOf(high, field, fail)
  if (first > last) fail(`has a range that runs backwards (${first} is after ${last})`)
  if (step === undefined) return [first + pick(last - first + 1)]
  const every = stepOf(step, fail)
  return range(first + pick(Math.min(every, last - first + 1)), last, every)
}

function range(first: number, last: number, step: number): number[] {
  const values: number[] = []
  for (let value = first; value <= last; value += step) values.push(value)
  return values
}

function stepOf(text: string | undefined, fail: Fail): number {
  if (text === undefined) return 1
  if (!/^\d{1,9}$/.test(text)) fail('has a "/" without a number after it')
  const step = Number(text)
  if (step === 0) fail('has a step of 0 (a step is at least 1)')
  return step
}

function numberOf(text: string, field: TimeField, fail: Fail): number {
  const { min, max, names } = field
  if (/^\d{1,9}$/.test(text)) {
    const value = Number(text)
    if (value < min || value > max) fail(`has the value ${text}, outside of ${min}-${max}`)
    return value
  }
  const index = names.indexOf(text.toLowerCase())
  if (index >= 0) return index + min
  return fail(
    names.length > 0 && /^[A-Za-z]+$/.test(text)
      ? `contains the unknown name "${text}" (names are ${names[0]} to ${names.at(-1)})`
      : `contains ${JSON.stringify(text)} where a number is expected`,
  )
}

/** As it was written, where that means the same in a krontab; else its values. */
function krontabText(text: string, values: readonly number[], field: TimeField): string {
  const all = field.max - field.min + (field.name === 'weekday' ? 0 : 1)
  const isStarOfSorts = text.startsWith('*') && values.length === all
  if (isStarOfSorts) return '*'
  const isUnderstood = !/~|(?:^|,)\*(?!\/)/.test(text)
  return isUnderstood ? text : listOf(values)
}

/** `1,5-9`: the shortest list of values and of ranges of three or more. */
export function listOf(values: readonly number[]): string {
  const parts: string[] = []
  for (let start = 0; start < values.length; ) {
    let end = start
    while (values[end + 1] === values[end]! + 1) end++
    if (end - start >= 2) parts.push(`${values[start]}-${values[end]}`)
    else for (let at = start; at <= end; at++) parts.push(String(values[at]))
    start = end + 1
  }
  return parts.join(',')
}
