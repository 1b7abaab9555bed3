import { parse } from 'node-cron'
import type { Peer } from './peer.ts'
import { versionOf } from './version.ts'

export const nodeCron: Peer = {
  name: 'node-cron',
  version: versionOf('node-cron'),
  zoneSupport: 'none',
  note:
    '`getNextRun` and `getNextRuns` start from the current time only, so `next` can not be ' +
    'measured. `parse` gives lists of values, not yet something that can search.',
  parse: (expression) => parse(expression),
}
