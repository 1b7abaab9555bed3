import { join } from 'node:path'
import { createLog, systemClock } from '@kron/runtime'
import { defaultServeOptions, type ServeOptions } from '../../src/start/serve-options.js'
import { type Service, startService } from '../../src/start/service.js'

/** A service in this process, on a folder of its own; `say` hears what its log says of failures. */
export function startQuietService(
  folder: string,
  options: Partial<ServeOptions> = {},
  say: (line: string) => void = () => undefined,
): Promise<Service> {
  const clock = systemClock()
  const log = createLog({ format: 'text', level: 'warn', component: 'x', clock, write: say })
  const defaults: ServeOptions = {
    ...defaultServeOptions,
    database: join(folder, 'kron.db'),
    folder,
    secretKey: undefined,
    databaseConnections: 1,
    port: 0,
    allow: ['127.0.0.1'],
    maxInFlight: 100,
    graceMs: 1_000,
  }
  const elapsed = () => performance.now()
  return startService({ ...defaults, ...options }, { clock, log, elapsed, random: Math.random })
}
