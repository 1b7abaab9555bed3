import { parseInstant } from '@kron/core'
import { type Outcome, outcomes } from './job-state.js'
import { incompatible } from './state-failure.js'
import { isFields, type StateFields } from './state-fields.js'

/** Takes the fields of one object of a state file, and knows where it is for the messages. */
export class FieldReader {
  readonly #file: string
  readonly #path: string
  readonly #fields: StateFields

  constructor(file: string, path: string, fields: StateFields) {
    this.#file = file
    this.#path = path
    this.#fields = fields
  }

  text(name: string): string {
    const value = this.#fields[name]
    return typeof value === 'string' ? value : this.refuse(name, 'text')
  }

  optionalText(name: string): string | null {
    return this.#isAbsent(name) ? null : this.text(name)
  }

  integer(name: string, least: number): number {
    const value = this.#fields[name]
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      return this.refuse(name, `a whole number, at least ${least}`)
    }
    // JSON has a negative zero, which is equal to zero but not the same.
    return (value as number) + 0
  }

  optionalInteger(name: string, least: number): number | null {
    return this.#isAbsent(name) ? null : this.integer(name, least)
  }

  instant(name: string): number {
    try {
      return parseInstant(this.text(name), name)
    } catch {
      return this.refuse(name, 'an RFC 3339 time')
    }
  }

  instantOrEmpty(name: string): number | null {
    return this.#fields[name] === '' ? null : this.instant(name)
  }

  outcome(name: string): Outcome {
    const value = this.#fields[name]
    return outcomes.find((known) => known === value) ?? this.refuse(name, outcomes.join(', '))
  }

  /** The nominal time, which a period is named after. */
  nominal(nameOfId: string, nameOfTime: string): number {
    const nominal = this.instant(nameOfTime)
    const isSameText = this.#fields[nameOfId] === this.#fields[nameOfTime]
    if (isSameText || this.instant(nameOfId) === nominal) return nominal
    return this.refuse(nameOfId, `the same time as ${nameOfTime}`)
  }

  optionalObject(name: string): FieldReader | null {
    if (this.#isAbsent(name)) return null
    const value = this.#fields[name]
    return isFields(value) ? this.#inner(name, value) : this.refuse(name, 'an object or null')
  }

  optionalObjects(name: string): FieldReader[] {
    if (this.#isAbsent(name)) return []
    const value = this.#fields[name]
    if (!Array.isArray(value) || !value.every(isFields)) return this.refuse(name, 'objects')
    return value.map((fields, index) => this.#inner(`${name}[${index}]`, fields))
  }

  refuse(name: string, allowed: string): never {
    const field = `${this.#path}${name}`
    throw incompatible(this.#file, { field, value: this.#fields[name], allowed })
  }

  #inner(name: string, fields: StateFields): FieldReader {
    return new FieldReader(this.#file, `${this.#path}${name}.`, fields)
  }

  #isAbsent(name: string): boolean {
    return this.#fields[name] === undefined || this.#fields[name] === null
  }
}
