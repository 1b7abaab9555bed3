/** The longest pointer that is taken, and the deepest. */
const maxLength = 200
const maxDepth = 16

/** The names of a JSON pointer (RFC 6901), or null when the text is none. */
export function pointerNames(text: string): readonly string[] | null {
  if (text.length > maxLength || (text !== '' && !text.startsWith('/'))) return null
  if (/~(?![01])/.test(text)) return null
  const names = text.split('/').slice(1)
  if (names.length > maxDepth) return null
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What a document has at a place; undefined where it has nothing. */
export function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) && !/^(0|[1-9]\d{0,9})$/.test(name)) return undefined
    if (!Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
