import { PersistenceError } from '@kron/core'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualProcesses } from '../../testing/process/virtual-processes.js'
import { emptyState, type JobState, started } from '../state/index.js'
import { Daemon } from './daemon.js'
import { defaultOptions, nobody } from './ports.js'

/** What a daemon left that died while a process of the job ran, which is gone. */
function leftRunning(identity: string): JobState {
  const process = { pid: 7, startTicks: 7, bootId: null }
  return started(emptyState(identity), { nominal: 0, chosen: 0, startedAt: 0, process })
}

it('a recovery that fails ends when no write of it is under way any more', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 10))
  const processes = new VirtualProcesses({ clock, world: () => ({}) })
  const [broken, slow] = ['broken', 'slow'].map((name) => sampleJob('0 12 * * *', { name }))
  const failure = new PersistenceError('KRON_PERSISTENCE', 'no', { field: 'state' })
  const writing = Promise.withResolvers<void>()
  const store = {
    load: (identity: string) => ({ kind: 'found', state: leftRunning(identity) }) as const,
    save: ({ identity }: JobState) =>
      identity === broken!.identity ? Promise.reject(failure) : writing.promise,
  }
  const log = createLog({ format: 'json', level: 'error', component: 'x', clock, write: () => {} })
  const daemon = new Daemon({ clock, store, processes, log, observer: nobody }, defaultOptions)
  let failed: unknown = null
  const prepared = daemon.prepare([broken!, slow!]).catch((error: unknown) => {
    failed = error
  })
  await clock.advanceBy(0)
  expect(failed).toBeNull()
  writing.resolve()
  await prepared
  expect(failed).toMatchObject({ message: 'no', details: { identity: broken!.identity } })
})
