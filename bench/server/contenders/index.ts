import { versionOf } from '../../peers/version.ts'
import type { CreateContender } from '../contender.ts'

export interface Entry {
  readonly name: string
  /** null: what comes with Node. */
  readonly packageName: string | null
  /** Whether runs outlive the process; those that do not are there as a limit. */
  readonly isDurable: boolean
  /** It knows full minutes only, and is measured once: it takes minutes. */
  readonly isCron: boolean
  /** Loads it into this process, which is why only its own process calls it. */
  load(): Promise<{ readonly create: CreateContender }>
}

const limit = { isDurable: false, isCron: false }
const jobs = { isDurable: true, isCron: false }
const cron = { isDurable: true, isCron: true }

/** The one that all others are compared with. */
export const limitName = 'undici'

export const entries: readonly Entry[] = [
  { name: limitName, packageName: 'undici', ...limit, load: () => import('./undici.ts') },
  { name: 'fetch', packageName: null, ...limit, load: () => import('./fetch.ts') },
  {
    name: 'kron SQLite',
    packageName: '@kron/server',
    ...jobs,
    load: () => import('./kron-sqlite.ts'),
  },
  {
    name: 'kron PostgreSQL',
    packageName: '@kron/server',
    ...jobs,
    load: () => import('./kron-postgres.ts'),
  },
  {
    name: 'kron PostgreSQL 2x',
    packageName: '@kron/server',
    ...jobs,
    load: () => import('./kron-postgres-two.ts'),
  },
  { name: 'pg-boss', packageName: 'pg-boss', ...jobs, load: () => import('./pg-boss.ts') },
  {
    name: 'graphile-worker',
    packageName: 'graphile-worker',
    ...jobs,
    load: () => import('./graphile-worker.ts'),
  },
  {
    name: 'graphile-worker cron',
    packageName: 'graphile-worker',
    ...cron,
    load: () => import('./graphile-worker-cron.ts'),
  },
  {
    name: 'pg-boss cron',
    packageName: 'pg-boss',
    ...cron,
    load: () => import('./pg-boss-cron.ts'),
  },
]

export const versionOfEntry = ({ packageName }: Entry): string =>
  packageName === null ? '' : versionOf(packageName)
