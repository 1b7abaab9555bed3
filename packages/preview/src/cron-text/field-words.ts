import { type Element, type FieldText, valuesOf } from './field-elements.js'

/** More values than this are described by how they are written. */
const maxValuesListed = 6

/** What one field says: `minute 0, 15, 30 and 45`, `Monday to Friday`, `every 2nd day`. */
export function fieldWords(text: FieldText): string {
  const { field, elements } = text
  if (!text.restricted) return `every ${field.name}`
  const values = valuesOf(text)
  const stepped = elements.some(({ step }) => step > 1)
  if (field.names.length === 0 && stepped && values.length <= maxValuesListed) {
    return `${field.name} ${joined(values.map(String))}`
  }
  const unit = field.names.length === 0 && !stepped ? `${field.name} ` : ''
  return unit + joined(elements.map((element) => elementWords(text, element, unit === '')))
}

function elementWords({ field }: FieldText, element: Element, withUnit: boolean): string {
  const { from, to, step, star } = element
  const name = (value: number): string => {
    if (field.names.length > 0) return field.names[(value - field.min) % field.names.length]!
    return withUnit ? `${field.name} ${value}` : String(value)
  }
  if (from === to || step > to - from) return name(from)
  const range = `${name(from)} to ${field.names.length === 0 ? to : name(to)}`
  if (step === 1) return range
  const every = `every ${ordinal(step)} ${field.name}`
  return star ? every : `${every} from ${range}`
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${value}${ending}`
}
