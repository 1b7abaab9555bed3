import { KronError, parseDuration, quote } from '@kron/core'
import { type CronField, cronFields } from '@kron/preview'
import { Refusal } from './conversion.js'

/** A schedule of a CronJob, in our syntax. */
export interface GoCronSchedule {
  readonly cron: string
  /** Of `TZ=` or `CRON_TZ=` before the schedule. */
  readonly timezone: string | null
}

const macros = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
] as const

/** Reads a schedule as the cron library of Kubernetes does (`ParseStandard` of robfig/cron). */
export function goCronSchedule(text: string): GoCronSchedule | Refusal {
  const zoned = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s.exec(text)
  const timezone = zoned === null ? null : zoned[1]! || 'UTC'
  const cron = cronIn((zoned?.[2] ?? text).trim())
  return cron instanceof Refusal ? cron : { cron, timezone }
}

function cronIn(text: string): string | Refusal {
  if (text.startsWith('@every ')) return everySchedule(text)
  if (text.startsWith('@')) {
    if ((macros as readonly string[]).includes(text)) return text
    return new Refusal(`${quote(text)} must be one of ${macros.join(', ')}`)
  }
  const fields = text.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== 5) {
    return new Refusal(`a schedule must have 5 fields, ${quote(text)} has ${fields.length}`)
  }
  const read: string[] = []
  for (const [index, field] of fields.entries()) {
    const converted = goCronField(field, index)
    if (converted instanceof Refusal) return converted
    read.push(converted)
  }
  return read.join(' ')
}

const minute = 60_000
const hour = 60 * minute

/** Intervals that a cron expression can keep up over days. */
const regular: readonly (readonly [ms: number, cron: string])[] = [
  [minute, '* * * * *'],
  ...[2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((m): [number, string] => [
    m * minute,
    `*/${m} * * * *`,
  ]),
  [hour, '0 * * * *'],
  ...[2, 3, 4, 6, 8, 12].map((h): [number, string] => [h * hour, `0 */${h} * * *`]),
  [24 * hour, '0 0 * * *'],
  [168 * hour, '0 0 * * 0'],
]

/** `@every` counts from a start that is in no manifest, and so do its runs: no cron says that. */
function everySchedule(text: string): Refusal {
  const interval = intervalIn(text)
  const named = quote(text)
  if (interval === null) return new Refusal(`${named} must have a duration such as 1h30m`)
  const distance = ([ms]: readonly [number, string]): number => Math.abs(Math.log(ms / interval))
  const [nearest] = regular.toSorted((a, b) => distance(a) - distance(b))
  const [ms, cron] = nearest!
  const same = ms === interval ? 'as often, on the clock' : 'the nearest on the clock'
  return new Refusal(
    `${named} counts from when the CronJob was created, which no cron expression can say`,
    `hint: ${quote(cron)} runs ${same}; change the CronJob's schedule to it and import again`,
  )
}

function intervalIn(text: string): number | null {
  try {
    // Below a second it is a second there.
    return Math.max(1000, parseDuration(text.slice('@every'.length).trim()))
  } catch (error) {
    if (error instanceof KronError) return null
    throw error
  }
}

/**
 * A field as the cron library of Kubernetes reads it, in words of ours: `?` is `*`, `5/15` goes on
 * to the end of the field, a list with a `*` in it is a `*`, weekdays are 0 to 6.
 */
function goCronField(text: string, index: number): string | Refusal {
  const field = cronFields[index]!
  const elements: string[] = []
  for (const element of text.split(',')) {
    // Empty elements are passed over there.
    if (element === '') continue
    const read = goCronElement(element, field)
    if (read instanceof Refusal) return read
    elements.push(read)
  }
  if (elements.length === 0) return refusal(field, text, 'has no values')
  return elements.includes('*') ? '*' : elements.join(',')
}

function goCronElement(element: string, field: CronField): string | Refusal {
  const [range = '', stepText, ...moreSteps] = element.split('/')
  const [lowText = '', highText, ...moreHyphens] = range.split('-')
  if (moreSteps.length > 0) return refusal(field, element, 'has too many slashes')
  const step = stepText === undefined ? 1 : numberIn(stepText)
  if (step === null || step === 0) return refusal(field, element, 'must have a step of 1 or more')
  // A star before a hyphen is all of the field, whatever follows.
  if (lowText === '*' || lowText === '?') return step === 1 ? '*' : `*/${step}`
  if (moreHyphens.length > 0) return refusal(field, element, 'has too many hyphens')
  const low = valueIn(lowText, field)
  const high = highText === undefined ? low : valueIn(highText, field)
  if (low === null || high === null) return refusal(field, element, rangeOf(field))
  const goesOn = highText === undefined && stepText !== undefined
  const end = goesOn ? { value: field.max, text: String(field.max) } : high
  if (end.value < low.value) return refusal(field, element, 'must not begin after its end')
  if (end.value === low.value) return low.text
  return `${low.text}-${end.text}${step === 1 ? '' : `/${step}`}`
}

const numberIn = (text: string): number | null => (/^\+?\d{1,9}$/.test(text) ? Number(text) : null)

interface Value {
  readonly value: number
  /** Names stay names. */
  readonly text: string
}

function valueIn(text: string, { min, max, names }: CronField): Value | null {
  const name = text.toUpperCase()
  const named = names.findIndex((one) => one.slice(0, 3).toUpperCase() === name)
  if (named >= 0) return { value: named + min, text: name }
  const value = numberIn(text)
  return value !== null && value >= min && value <= max ? { value, text: String(value) } : null
}

function rangeOf({ min, max, names }: CronField): string {
  const words = names.length === 0 ? '' : `, or ${names[0]!.slice(0, 3).toUpperCase()} and so on`
  return `must be from ${min} to ${max}${words}`
}

const refusal = ({ name }: CronField, text: string, reason: string): Refusal =>
  new Refusal(`the ${name} field ${quote(text)} ${reason}`)
