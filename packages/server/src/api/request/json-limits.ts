import type { FieldError } from '../../use-cases/index.js'
import type { ApiLimits } from '../api-ports.js'
import { fieldWithin } from './field-errors.js'

type JsonLimits = Pick<ApiLimits, 'jsonDepth' | 'jsonItems' | 'jsonValues'>

/** The first thing that makes a JSON value unfit to be looked at, or null. */
export function jsonLimitBroken(value: unknown, limits: JsonLimits): FieldError | null {
  return new JsonWalk(limits).flawIn(value, '', 1)
}

class JsonWalk {
  readonly #limits: JsonLimits
  #values = 0

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  flawIn(value: unknown, field: string, depth: number): FieldError | null {
    const { jsonDepth, jsonItems, jsonValues } = this.#limits
    this.#values++
    if (this.#values > jsonValues) {
      return flaw('', 'too_many', `has more than ${jsonValues} values in all`)
    }
    if (typeof value === 'string') return isText(value) ? null : notText(field)
    if (typeof value !== 'object' || value === null) return null
    if (depth > jsonDepth) {
      return flaw(field, 'too_deep', `is nested deeper than ${jsonDepth} levels`)
    }
    const entries = Object.entries(value)
    if (entries.length > jsonItems) {
      return flaw(field, 'too_many', `has more than ${jsonItems} items`)
    }
    for (const [name, item] of entries) {
      if (!isText(name)) return notText(field)
      const inside = fieldWithin(field, name)
      // No schema has it, and it would reach through to every object.
      if (name === '__proto__') return flaw(inside, 'unknown_field', 'is not known')
      const found = this.flawIn(item, inside, depth + 1)
      if (found !== null) return found
    }
    return null
  }
}

const loneSurrogate = /\p{Surrogate}/u

/** No database keeps these: they would come back changed or not at all. */
export function isText(text: string): boolean {
  return !loneSurrogate.test(text) && !text.includes('\0')
}

const notText = (field: string): FieldError =>
  flaw(field, 'text_invalid', 'must be well-formed Unicode without the character U+0000')

const flaw = (field: string, code: string, what: string): FieldError => ({
  field: field === '' ? 'body' : field,
  code,
  message: `${field === '' ? 'body' : field} ${what}`,
})
