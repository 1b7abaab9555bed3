/**
 * Started by the benchmark with TZ set to a zone: measures, beside Kron, the peers that can only
 * work in the zone of their process. Takes `{ zone, effort, quick }` as its argument, prints JSON.
 */
import { runNext } from './cases/cron-next.ts'
import type { ZoneName } from './cases/expressions.ts'
import type { Effort } from './measure.ts'
import { peers } from './peers/index.ts'

export interface ProcessZoneTask {
  readonly zone: ZoneName
  readonly effort: Effort
  readonly quick: boolean
}

const { zone, effort, quick } = JSON.parse(process.argv[2] ?? '{}') as ProcessZoneTask
const bound = peers.filter((peer) => peer.zoneSupport === 'process')
process.stdout.write(JSON.stringify(runNext(bound, zone, effort, quick)))
