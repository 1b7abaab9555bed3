import later from '@breejs/later'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const breejsLater: Peer = {
  name: '@breejs/later',
  version: versionOf('@breejs/later'),
  zoneSupport: 'process',
  parse: (expression) => later.schedule(later.parse.cron(expression)),
  schedule(expression, zone) {
    // One switch for the whole library: its schedules can't mix zones.
    if (zone === 'UTC') later.date.UTC()
    else later.date.localTime()
    const occurrences = later.schedule(later.parse.cron(expression))
    return {
      next(afterMs) {
        // Its search includes the start, so it starts at the following second.
        const start = (Math.floor(afterMs / 1000) + 1) * 1000
        const found = occurrences.next(1, new Date(start))
        return found === 0 ? Number.NaN : found.getTime()
      },
    }
  },
}
