import { quote } from '@kron/core'
import { type CronField, cronFields } from '@kron/preview'
import { Refusal } from './refusal.js'

/**
 * A field as the cron library of Kubernetes reads it, in words of ours: `?` is `*`, `5/15` goes on
 * to the end of the field, a list with a `*` in it is a `*`, weekdays are 0 to 6.
 */
export function goCronField(text: string, index: number): string | Refusal {
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
