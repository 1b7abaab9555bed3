/** `Key=value` of a unit file. */
export interface UnitEntry {
  readonly key: string
  readonly value: string
  /** 1-based line of the key. */
  readonly line: number
  /** Index of the value in that line. */
  readonly start: number
  readonly source: string
}

/** A unit file: the entries of each section, in order. */
export class UnitFile {
  readonly path: string
  readonly #sections: ReadonlyMap<string, readonly UnitEntry[]>

  constructor(path: string, text: string) {
    this.path = path
    this.#sections = sectionsOf(text)
  }

  has(section: string): boolean {
    return this.#sections.has(section)
  }

  entries(section: string): readonly UnitEntry[] {
    return this.#sections.get(section) ?? []
  }

  /** All values of a key that may come again; an empty one takes back those before it. */
  all(section: string, key: string): UnitEntry[] {
    const found = this.entries(section).filter((entry) => entry.key === key)
    const reset = found.findLastIndex(({ value }) => value === '')
    return found.slice(reset + 1)
  }

  /** The value that counts: the last one. */
  last(section: string, key: string): UnitEntry | undefined {
    return this.all(section, key).at(-1)
  }
}

function sectionsOf(text: string): Map<string, UnitEntry[]> {
  const sections = new Map<string, UnitEntry[]>()
  const lines = text.split(/\r?\n/)
  let entries: UnitEntry[] = []
  for (let at = 0; at < lines.length; at++) {
    const source = lines[at]!
    const section = /^\s*\[([^\]]+)\]\s*$/.exec(source)?.[1]
    if (section !== undefined) {
      entries = sections.get(section) ?? []
      sections.set(section, entries)
      continue
    }
    const match = /^(\s*([A-Za-z][\w-]*)\s*=\s*)(.*)$/.exec(source)
    if (match === null) continue
    const line = at + 1
    let value = match[3]!
    while (value.endsWith('\\') && at + 1 < lines.length) {
      at++
      // Comments between continued lines are not part of them.
      if (!/^\s*[#;]/.test(lines[at]!)) value = `${value.slice(0, -1)} ${lines[at]!.trim()}`
    }
    entries.push({ key: match[2]!, value: value.trim(), line, start: match[1]!.length, source })
  }
  return sections
}
