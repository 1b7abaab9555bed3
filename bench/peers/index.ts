import { cron } from './cron.ts'
import { cronParser } from './cron-parser.ts'
import { cronSchedule } from './cron-schedule.ts'
import { croner } from './croner.ts'
import { cronosjs } from './cronosjs.ts'
import { breejsLater } from './later.ts'
import { nodeCron } from './node-cron.ts'
import { nodeSchedule } from './node-schedule.ts'
import type { Peer } from './peer.ts'

export { kron } from './kron.ts'
export type { Peer, Schedule, Walk } from './peer.ts'

export const peers: readonly Peer[] = [
  cronSchedule,
  breejsLater,
  croner,
  cronosjs,
  cronParser,
  cron,
  nodeCron,
  nodeSchedule,
]
