/** A second worker, which starts and stops with the rounds. */
import { openPostgresStore } from '../../../../packages/server/dist/store/postgres/postgres-store.js'
import { startWorker } from './worker.ts'

const store = openPostgresStore({ url: process.argv[2]! })
await store.migrate()
let started: ReturnType<typeof startWorker> | undefined

process.on('message', async (what: 'start' | 'stop') => {
  if (what === 'start') started = startWorker(store)
  else await started?.stop()
  process.send!('done')
})
process.once('disconnect', () => process.exit())
process.send!('ready')
