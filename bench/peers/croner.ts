import { Cron } from 'croner'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const croner: Peer = {
  name: 'croner',
  version: versionOf('croner'),
  zoneSupport: 'any',
  note: 'In UTC with `utcOffset: 0`, about ten times as fast there as `timezone: "UTC"`.',
  parse: (expression) => new Cron(expression, { utcOffset: 0 }),
  schedule(expression, zone) {
    const cron = new Cron(expression, zone === 'UTC' ? { utcOffset: 0 } : { timezone: zone })
    return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() ?? Number.NaN }
  },
}
