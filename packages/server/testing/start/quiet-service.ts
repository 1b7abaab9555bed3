import { join } from 'node:path'
import { createLog, systemClock } from '@kron/runtime'
import { noSystemQuotas, signupQuotas } from '../../src/domain/index.js'
import type { ServeOptions } from '../../src/start/serve-options.js'
import { type Service, startService } from '../../src/start/service.js'

/** A service in this process, on a folder of its own; `say` hears what its log says of failures. */
export function startQuietService(
  folder: string,
  options: Partial<ServeOptions> = {},
  say: (line: string) => void = () => undefined,
): Promise<Service> {
  const clock = systemClock()
  const log = createLog({ format: 'text', level: 'warn', component: 'x', clock, write: say })
  const usual: ServeOptions = {
    roles: ['api', 'worker', 'planner'],
    lostKey: false,
    database: join(folder, 'kron.db'),
    folder,
    secretKey: undefined,
    databaseConnections: 1,
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    signup: 'closed',
    signupQuotas,
    systemQuotas: noSystemQuotas,
    maxTenants: 1_000,
    allow: ['127.0.0.1'],
    maxInFlight: 100,
    connections: 512,
    connectionsPerOrigin: 64,
    tracing: null,
    graceMs: 1_000,
  }
  const elapsed = () => performance.now()
  return startService({ ...usual, ...options }, { clock, log, elapsed, random: Math.random })
}
