import moment from 'moment-timezone'

/** A zone read straight from moment-timezone, so that nothing of ours stands between. */
export interface NaiveZone {
  readonly name: string
  /** Epoch seconds at which the offset changes. */
  readonly changes: readonly number[]
  /** Seconds east of UTC. */
  offsetAt(second: number): number
}

export function naiveZone(name: string): NaiveZone {
  const source = moment.tz.zone(name)
  if (source === null) throw new RangeError(`moment-timezone has no zone ${name}`)
  const offsetAt = (second: number): number => Math.round(-60 * source.utcOffset(second * 1000))
  const changes = source.untils
    .filter((until) => Number.isFinite(until))
    .map((until) => until / 1000)
    .filter((second) => offsetAt(second) !== offsetAt(second - 1))
  return { name, changes, offsetAt }
}

/** All names, aliases included. */
export const naiveZoneNames = (): string[] => moment.tz.names()

/** Only the names that are not aliases of another one. */
export function naiveZoneNamesWithoutAliases(): string[] {
  const seen = new Map<string, string>()
  for (const name of moment.tz.names()) {
    const source = moment.tz.zone(name)!
    const history = `${source.untils.join()}|${source.offsets.join()}`
    if (!seen.has(history)) seen.set(history, name)
  }
  return [...seen.values()]
}
