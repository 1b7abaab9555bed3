import { createRequire } from 'node:module'

/** One zone as plain transitions: `offsets[i]` holds until `untils[i]`, in seconds east of UTC. */
export interface SourceZone {
  readonly name: string
  readonly untils: readonly number[]
  readonly offsets: readonly number[]
}

export interface SourceDatabase {
  readonly version: string
  readonly zones: readonly SourceZone[]
  /** Alias to the name of the zone that it stands for. */
  readonly links: ReadonlyMap<string, string>
}

interface PackedData {
  readonly version: string
  readonly zones: readonly string[]
  readonly links: readonly string[]
}

interface MomentZone {
  readonly untils: readonly number[]
  readonly offsets: readonly number[]
}

/** Reads the installed moment-timezone data, which is a build-time dependency only. */
export function readSource(): SourceDatabase {
  const require = createRequire(import.meta.url)
  const packed = require('moment-timezone/data/packed/latest.json') as PackedData
  const moment = require('moment-timezone') as { tz: { zone(name: string): MomentZone } }
  const zones = packed.zones.map((line) => {
    const name = line.slice(0, line.indexOf('|'))
    return simplify(name, moment.tz.zone(name))
  })
  const links = new Map(
    packed.links.map((line) => {
      const [target, alias] = line.split('|') as [string, string]
      return [alias, target]
    }),
  )
  return { version: packed.version, zones, links }
}

/** Drops transitions that change only the abbreviation: to a scheduler they are not transitions. */
function simplify(name: string, source: MomentZone): SourceZone {
  const untils: number[] = []
  const offsets: number[] = []
  source.offsets.forEach((minutesWest, index) => {
    const offset = Math.round(minutesWest * -60) || 0
    const until = (source.untils[index] ?? Number.POSITIVE_INFINITY) / 1000
    if (offsets.at(-1) === offset) untils[untils.length - 1] = until
    else {
      offsets.push(offset)
      untils.push(until)
    }
  })
  return { name, untils, offsets }
}
