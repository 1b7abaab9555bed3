/** A worker as a process of its own, with a clock on the wall that is wrong. It ends by a kill. */
import { createLog, systemClock } from '@kron/runtime'
import { startService } from '../../dist/start/service.js'

const { database, folder, secretKey, skewMs, allow } = JSON.parse(process.argv[2])
const clock = systemClock()
const skewed = {
  now: () => new Date(clock.now().getTime() + skewMs),
  sleep: (ms, signal) => clock.sleep(ms, signal),
}
const log = createLog({
  clock,
  component: 'worker',
  level: 'warn',
  format: 'json',
  write: (line) => process.stdout.write(`${line}\n`),
})
await startService(
  {
    roles: ['worker'],
    database,
    folder,
    secretKey,
    host: '127.0.0.1',
    port: null,
    publicUrl: undefined,
    signup: 'closed',
    allow,
    maxInFlight: 2_000,
    connections: 512,
    connectionsPerOrigin: 32,
    databaseConnections: 3,
    graceMs: 1_000,
    tracing: null,
  },
  { clock: skewed, log, elapsed: () => performance.now(), random: Math.random },
)
process.send('started')
