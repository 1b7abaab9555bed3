import { CronTime } from 'cron'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const cron: Peer = {
  name: 'cron',
  version: versionOf('cron'),
  zoneSupport: 'any',
  note: '`CronTime.getNextDateFrom`; it searches no further than eight years from today.',
  parse: (expression) => new CronTime(expression, 'UTC'),
  schedule(expression, zone) {
    const time = new CronTime(expression, zone)
    return { next: (afterMs) => time.getNextDateFrom(new Date(afterMs), zone).toMillis() }
  },
}
