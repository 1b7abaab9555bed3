import { versionOf } from '../../peers/version.ts'
import type { Register } from './contender.ts'

export interface Contender {
  readonly name: string
  /** null: there is none to speak of. */
  readonly packageName: string | null
  readonly isOurs: boolean
  /** Loads it into this process, which is why only its own process calls it. */
  load(): Promise<{ readonly register: Register }>
}

export const floorName = 'one-timer'
export const memoryName = 'kron-memory'
export const sqliteName = 'kron-sqlite'

const ours = { packageName: '@kron/scheduler', isOurs: true }

const peer = (name: string, load: Contender['load']): Contender => ({
  name,
  packageName: name,
  isOurs: false,
  load,
})

export const contenders: readonly Contender[] = [
  {
    name: floorName,
    packageName: null,
    isOurs: false,
    load: () => import('./one-timer.ts'),
  },
  { name: sqliteName, ...ours, load: () => import('./kron-sqlite.ts') },
  { name: memoryName, ...ours, load: () => import('./kron-memory.ts') },
  peer('croner', () => import('./croner.ts')),
  peer('cron-schedule', () => import('./cron-schedule.ts')),
  peer('toad-scheduler', () => import('./toad-scheduler.ts')),
  peer('node-cron', () => import('./node-cron.ts')),
  peer('cron', () => import('./cron.ts')),
  peer('node-schedule', () => import('./node-schedule.ts')),
]

export const versionOfContender = ({ packageName }: Contender): string =>
  packageName === null ? '' : versionOf(packageName)
