/** One of the server's events. */
export interface ServerEvent {
  readonly id: string | null
  readonly type: string
  readonly data: unknown
}

/** A line without an end would fill the memory. */
const maxPending = 1_000_000

/** Puts server-sent events together from pieces that are cut anywhere. */
export class EventReader {
  #pending = ''
  #fields: Record<string, string> = {}

  read(piece: string): ServerEvent[] {
    const lines = (this.#pending + piece).split(/\r\n|\n|\r(?!$)/)
    this.#pending = lines.pop() ?? ''
    if (this.#pending.length > maxPending) throw new Error('an event is too long')
    return lines.flatMap((line) => this.#line(line))
  }

  #line(line: string): ServerEvent[] {
    if (line === '') return this.#finish()
    // A comment, which is how the server shows that it lives.
    if (line.startsWith(':')) return []
    const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    const before = this.#fields[name]
    this.#fields[name] = name === 'data' && before !== undefined ? `${before}\n${value}` : value
    return []
  }

  #finish(): ServerEvent[] {
    const { id, event, data } = this.#fields
    this.#fields = {}
    if (data === undefined) return []
    return [{ id: id ?? null, type: event ?? 'message', data: parsed(data) }]
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
