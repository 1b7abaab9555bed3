import { ConfigurationError, KronError, parseInstant, quote } from '@kron/core'

/** The parameters of a request; one that is not known, or given twice, is an error. */
export class Query {
  readonly #values: URLSearchParams

  constructor(text: string, known: readonly string[]) {
    this.#values = new URLSearchParams(text)
    for (const name of this.#values.keys()) {
      if (!known.includes(name)) {
        const allowed = known.length === 0 ? 'none is allowed' : `allowed: ${known.join(', ')}`
        throw badRequest(name, `unknown parameter ${quote(name)}, ${allowed}`)
      }
      if (this.#values.getAll(name).length > 1) throw badRequest(name, `${name} is given twice`)
    }
  }

  text(name: string): string | null {
    return this.#values.get(name)
  }

  count(name: string, otherwise: number, most: number): number {
    const text = this.#values.get(name)
    if (text === null) return otherwise
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (count >= 1 && count <= most) return count
    throw badRequest(name, `${name} must be a whole number from 1 to ${most}, got ${quote(text)}`)
  }

  instant(name: string, otherwise: number): number {
    const text = this.#values.get(name)
    if (text === null) return otherwise
    try {
      return parseInstant(text, name)
    } catch (error) {
      throw error instanceof KronError ? badRequest(name, error.message) : error
    }
  }
}

export function badRequest(field: string, message: string): ConfigurationError {
  return new ConfigurationError('KRON_REQUEST_INVALID', message, { field })
}
