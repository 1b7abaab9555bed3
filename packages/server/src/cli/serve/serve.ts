import { type ExitCode, exitCodes } from '@kron/command'
import { createLog, hostLog, type Log } from '@kron/runtime'
import { versions } from '../../domain/version.js'
import type { Host } from '../../process/host.js'
import { keepCode } from '../../start/keep-code.js'
import { isPostgres } from '../../start/serve-options.js'
import { startService } from '../../start/service.js'
import { isLoopback, keyKeeperOf } from './kept-key.js'
import { logOptions, type ServeArguments, serveOptions } from './serve-arguments.js'
import { startFailure } from './start-failure.js'
import { welcome } from './welcome.js'

/** `kron serve`: runs until it is asked to stop. */
export async function serve(given: ServeArguments, host: Host): Promise<ExitCode> {
  keepCode()
  const options = serveOptions(given, host)
  const { clock } = host
  const log = logOf(given, host)
  const elapsed = () => performance.now()
  const keyKeeper = isLoopback(options.host) ? keyKeeperOf(host) : null
  const ports = { clock, log, elapsed, random: Math.random, keyKeeper }
  const service = await startService(options, ports).catch((error) => {
    throw startFailure(error, options)
  })
  log.info('started', {
    ...versions,
    roles: options.roles.join(','),
    database: isPostgres(options.database) ? 'postgres' : 'sqlite',
    url: service.url,
  })
  host.stdout.write(welcome(service, options))
  await interrupted(host.interrupted)
  log.info('stopping', { graceMs: options.graceMs, note: 'a second signal ends it at once' })
  await service.stop()
  log.info('stopped', {})
  return exitCodes.success
}

/** A reader of the log that is slow or gone neither holds up nor ends the service. */
function logOf(given: ServeArguments, { clock, stderr, logOutlet }: Host): Log {
  const options = { ...logOptions(given), clock, component: 'kron' }
  return logOutlet === undefined
    ? createLog({ ...options, write: (line) => stderr.write(`${line}\n`) })
    : hostLog({ ...options, outlet: logOutlet() })
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
