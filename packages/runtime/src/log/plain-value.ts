/** What a line can hold. Objects have no prototype, so that no key has a meaning of its own. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | PlainValue[]
  | { [key: string]: PlainValue }

const deepest = 16
const maxValues = 10_000
const maxCharacters = 262_144
const longestKey = 256

export const unreadable = '[unreadable]'

/**
 * Any value as one that a line can hold, or undefined if there is nothing to say. Never throws and
 * always ends: getters, `toJSON` and proxies that throw become `[unreadable]`, a value inside
 * itself `[circular]`, and what is too deep, too long or too many is cut with an ellipsis.
 */
export function plainValue(value: unknown): PlainValue | undefined {
  return new PlainReader().read(value)
}

class PlainReader {
  readonly #ancestors = new Set<object>()
  #valuesLeft = maxValues
  #charactersLeft = maxCharacters

  read(value: unknown): PlainValue | undefined {
    try {
      if (typeof value === 'object' && value !== null) return this.#readObject(value)
      return this.#readPrimitive(value)
    } catch {
      return unreadable
    }
  }

  #readObject(object: object): PlainValue | undefined {
    if (this.#ancestors.has(object)) return '[circular]'
    if (this.#ancestors.size >= deepest) return '…'
    this.#ancestors.add(object)
    try {
      return this.#readMembers(object)
    } finally {
      this.#ancestors.delete(object)
    }
  }

  #readMembers(object: object): PlainValue | undefined {
    if (object instanceof Date) return plainDate(object)
    if (object instanceof Error) return this.#readError(object)
    if (ArrayBuffer.isView(object)) return `[${object.byteLength} bytes]`
    const toJson = (object as { toJSON?: unknown }).toJSON
    if (typeof toJson === 'function') return this.#readReplacement(toJson.call(object), object)
    if (Array.isArray(object) || object instanceof Set) return this.#readItems(object)
    if (object instanceof Map) return this.#readEntries(object.keys(), (key) => object.get(key))
    return this.#readEntries(Object.keys(object), (key) => object[key as keyof typeof object])
  }

  /** `toJSON` may answer its own object, which is not a circle but its own members. */
  #readReplacement(replacement: unknown, object: object): PlainValue | undefined {
    if (replacement !== object) return this.read(replacement)
    return this.#readEntries(Object.keys(object), (key) => object[key as keyof typeof object])
  }

  #readError(error: Error): PlainValue {
    const members = ['name', 'code', 'message']
    return this.#readEntries(members, (key) => error[key as keyof Error])
  }

  #readItems(items: Iterable<unknown>): PlainValue[] {
    const plain: PlainValue[] = []
    for (const item of items) {
      if (this.#valuesLeft-- <= 0) {
        plain.push('…')
        break
      }
      plain.push(this.read(item) ?? null)
    }
    return plain
  }

  #readEntries(keys: Iterable<unknown>, valueAt: (key: unknown) => unknown): PlainValue {
    const plain: { [key: string]: PlainValue } = Object.create(null)
    for (const key of keys) {
      if (this.#valuesLeft-- <= 0) {
        plain['…'] = '…'
        break
      }
      const value = this.#readMember(key, valueAt)
      if (value !== undefined) plain[keyText(key)] = value
    }
    return plain
  }

  #readMember(key: unknown, valueAt: (key: unknown) => unknown): PlainValue | undefined {
    try {
      return this.read(valueAt(key))
    } catch {
      return unreadable
    }
  }

  #readPrimitive(value: unknown): PlainValue | undefined {
    switch (typeof value) {
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'undefined':
        return undefined
      case 'function':
        return '[function]'
      default:
        return value === null ? null : this.#clipped(String(value))
    }
  }

  /** The budget is for all values together: a line too long to build would be a line lost. */
  #clipped(text: string): string {
    const fits = text.length <= this.#charactersLeft
    const shown = fits ? text : `${text.slice(0, this.#charactersLeft)}…`
    this.#charactersLeft = Math.max(0, this.#charactersLeft - text.length)
    return shown
  }
}

/** RFC 3339 in UTC with milliseconds. */
export function plainDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? '[invalid-date]' : date.toISOString()
}

function keyText(key: unknown): string {
  if (typeof key === 'object' && key !== null) return '[object]'
  const text = String(key)
  return text.length <= longestKey ? text : `${text.slice(0, longestKey)}…`
}
