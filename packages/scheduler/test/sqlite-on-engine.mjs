/** Runs a task on a database of its own, and prints how that went. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScheduler, Duration, sqliteStorage } from '../dist/index.js'
import { VirtualClock } from '../dist/testing/index.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-engine-'))
const clock = new VirtualClock(Date.UTC(2026, 2, 1))
let runs = 0
let name = null
try {
  const storage = sqliteStorage(join(folder, 'tasks.db'))
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const scheduler = createScheduler({ storage, clock, timeZone: 'UTC', logger })
  await scheduler.initialize([['a', '1 0 * * *', async () => void runs++, Duration.minutes(1)]])
  await clock.advanceBy(120_000)
  await scheduler.stop()
} catch (error) {
  name = error.name
} finally {
  rmSync(folder, { recursive: true })
}
process.stdout.write(JSON.stringify({ runs, name }))
