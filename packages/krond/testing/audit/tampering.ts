/** A line of a log, as its members; one that a crash tore stays text. */
export type Event = Record<string, unknown>
export type Log = readonly (Event | string)[]

/** Draws one of so many. */
export type Draw = (count: number) => number

/** Something that somebody could do to a log. */
export interface Tampering {
  readonly name: string
  /** The log as it is afterwards; null when there is nothing in it to do that to. */
  tamper(log: Log, draw: Draw): Log | null
}

export const field = (line: Event | string | undefined, name: string): unknown =>
  typeof line === 'object' ? line[name] : undefined

export const eventOf = (line: Event | string | undefined): unknown => field(line, 'event')

export const sameJob = (a: Event | string, b: Event | string): boolean =>
  field(a, 'identity') !== undefined && field(a, 'identity') === field(b, 'identity')

export const samePeriod = (a: Event | string, b: Event | string): boolean =>
  sameJob(a, b) && field(a, 'period_id') === field(b, 'period_id')

/** Whether a line can be chosen, by all that stands around it. */
export type Choice = (line: Event, index: number, log: Log) => boolean

export const ofKind =
  (...kinds: readonly string[]): Choice =>
  (line) =>
    kinds.includes(String(line['event']))

/** The index of one line of those that fit. */
export function chosen(log: Log, draw: Draw, fits: Choice): number | null {
  const all: number[] = []
  for (const [index, line] of log.entries()) {
    if (typeof line === 'object' && fits(line, index, log)) all.push(index)
  }
  return all.length === 0 ? null : all[draw(all.length)]!
}

/** Does something to one line that fits. */
export function atOne(
  name: string,
  fits: Choice,
  change: (log: Log, index: number, line: Event) => Log | null,
): Tampering {
  return {
    name,
    tamper(log, draw) {
      const index = chosen(log, draw, fits)
      return index === null ? null : change(log, index, log[index] as Event)
    },
  }
}

export const without = (log: Log, gone: (line: Event | string, index: number) => boolean): Log =>
  log.filter((line, index) => !gone(line, index))

/** The index of the first line of the life that this one is in, and of the first behind it. */
export function lifeOf(log: Log, index: number): readonly [first: number, end: number] {
  const first = log.findLastIndex((line, at) => at <= index && eventOf(line) === 'start')
  const end = log.findIndex((line, at) => at > index && eventOf(line) === 'start')
  return [first, end < 0 ? log.length : end]
}

/** Whether the daemon lived for that long after this line, as later lines of its life show. */
export function livesOn(log: Log, index: number, ms: number): boolean {
  const [, end] = lifeOf(log, index)
  const since = timeOf(log[index])
  return log.some((line, at) => at > index && at < end && timeOf(line) - since > ms)
}

export const timeOf = (line: Event | string | undefined): number =>
  Date.parse(String(field(line, 'time')))

export const later = (time: unknown, ms: number): string => {
  const text = new Date(Date.parse(String(time)) + ms).toISOString()
  return String(time).includes('.') ? text : text.replace('.000Z', 'Z')
}
