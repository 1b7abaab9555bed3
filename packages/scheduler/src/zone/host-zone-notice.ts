import { tzdataVersion, zone, zoneNames } from '@kron/core'
import type { HostZoneDiffers, HostZoneUnnamed } from '../event/index.js'
import type { HostZone } from './host-zone.js'

/** Something about the zone of the host that somebody may not expect. */
export type HostZoneNotice = Omit<HostZoneDiffers, 'time'> | Omit<HostZoneUnnamed, 'time'>

/** How the host says what its zone is. */
export interface HostSettings {
  readonly TZ: string | undefined
  /** As Node names it; hosts without a zone that has a name report none, or one of no place. */
  readonly timeZone: string | undefined
}

/** Later differences are reported by later starts, and by then there may be none. */
const comparedMs = 366 * 86_400_000

export function hostZoneNotice(
  host: HostZone,
  now: number,
  { TZ, timeZone }: HostSettings = settingsOfProcess(),
): HostZoneNotice | null {
  const names = zoneNames()
  const seconds = now / 1000
  if (TZ && !names.includes(TZ.replace(/^:/, ''))) {
    const hostOffsetMinutes = host.around(now).offsetAt(seconds) / 60
    return { type: 'HostZoneUnnamed', TZ, hostOffsetMinutes }
  }
  if (timeZone === undefined || !names.includes(timeZone)) return null
  const [shown, known] = [host.around(now, now + comparedMs), zone(timeZone)]
  for (let at = seconds; at <= seconds + comparedMs / 1000; ) {
    const [hostOffset, databaseOffset] = [shown.offsetAt(at), known.offsetAt(at)]
    if (hostOffset !== databaseOffset) {
      return {
        type: 'HostZoneDiffers',
        timeZone,
        from: new Date(at * 1000),
        hostOffsetMinutes: hostOffset / 60,
        databaseOffsetMinutes: databaseOffset / 60,
        databaseVersion: tzdataVersion,
      }
    }
    at = Math.min(shown.nextTransition(at), known.nextTransition(at))
  }
  return null
}

function settingsOfProcess(): HostSettings {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { TZ: process.env['TZ'], timeZone }
}
