import { parseCronExpression } from 'cron-schedule'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const cronSchedule: Peer = {
  name: 'cron-schedule',
  version: versionOf('cron-schedule'),
  zoneSupport: 'process',
  parse: (expression) => parseCronExpression(expression),
  schedule(expression) {
    const cron = parseCronExpression(expression)
    return { next: (afterMs) => cron.getNextDate(new Date(afterMs)).getTime() }
  },
}
