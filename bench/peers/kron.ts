import { parseCron, zone as zoneByName } from '@kron/core'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const kron: Peer = {
  name: 'kron',
  version: versionOf('@kron/core'),
  zoneSupport: 'any',
  parse: (expression) => parseCron(expression),
  schedule(expression, zoneName) {
    const cron = parseCron(expression)
    const zone = zoneByName(zoneName)
    return { next: (afterMs) => cron.next(afterMs, zone) ?? Number.NaN }
  },
}
