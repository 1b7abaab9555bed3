import { ConfigurationError, nearest, quote } from '../errors/index.js'
import { decodeZone } from './decode.js'
import { linkLines, tzdataVersion, zoneLines } from './generated/tzdata.js'
import { Zone } from './zone.js'

const longestName = 64

/** Not in `@kron/core/zoneless`, see no-zones.ts. */
const hasData = (tzdataVersion as string) !== 'none'

/** Name or alias to its line of the database; built on first use. */
let linesByName: Map<string, string> | undefined
const zones = new Map<string, Zone>()

/**
 * The zone of an IANA name, of the pinned database and never of the host. Aliases such as
 * `US/Eastern` resolve and keep their own name.
 */
export function zone(name: string): Zone {
  return zones.get(name) ?? load(name)
}

/** All names, aliases included, in order. */
export function zoneNames(): string[] {
  return [...index().keys()].sort()
}

function load(name: string): Zone {
  const line = typeof name === 'string' ? index().get(name) : undefined
  if (line === undefined) throw unknownZone(name)
  const found = new Zone(name, decodeZone(line))
  zones.set(name, found)
  return found
}

function index(): Map<string, string> {
  if (linesByName !== undefined) return linesByName
  const lines = new Map<string, string>()
  for (const line of zoneLines.split('\n')) lines.set(line.slice(0, line.indexOf('|')), line)
  for (const link of linkLines.split('\n')) {
    const [alias, target] = link.split('|') as [string, string]
    lines.set(alias, lines.get(target)!)
  }
  linesByName = lines
  return lines
}

function unknownZone(name: unknown): ConfigurationError {
  const close = typeof name === 'string' && name.length <= longestName ? proposals(name) : []
  const hint = close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`
  const expected = hasData
    ? `expected an IANA name such as Europe/Paris${hint}`
    : 'and @kron/core/zoneless has UTC alone: import @kron/core for the other zones'
  return new ConfigurationError(
    'KRON_ZONE_UNKNOWN',
    `unknown time zone ${quote(name)}, ${expected}`,
    { field: 'timezone', value: name, allowed: 'an IANA time zone name', nearest: close },
  )
}

/** Nearest by spelling, or by the city alone: people type `Paris` or `New York`. */
function proposals(name: string): string[] {
  const city = name.trim().replaceAll(' ', '_').toLowerCase()
  if (city === '') return []
  const names = zoneNames()
  const sameCity = names.filter((known) => known.toLowerCase().split('/').at(-1) === city)
  if (sameCity.length === 0) return nearest(name, names)
  return sameCity.sort((a, b) => a.length - b.length).slice(0, 3)
}
