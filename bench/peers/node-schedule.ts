import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const nodeSchedule: Peer = {
  name: 'node-schedule',
  version: versionOf('node-schedule'),
  zoneSupport: 'none',
  note:
    'Reads cron text only while it schedules a job (with cron-parser 4 inside), and offers no ' +
    'call that parses or that answers for a given instant.',
}
