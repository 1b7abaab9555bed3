import { ConfigurationError, quote, suggestion } from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import { Announcer, type EventListener, type Logger } from '../event/index.js'
import { type Storage, sqliteStorage, type WhenInUse, watchedStorage } from '../storage/index.js'
import { HostZone, hostZoneNotice, namedZone, type TimeZone } from '../zone/index.js'

export interface SchedulerOptions {
  /** Where state is kept; default `sqliteStorage('./kron-scheduler.db')`. */
  readonly storage?: Storage
  /**
   * What `initialize` does when another process owns the storage and lives: it rejects with a
   * StorageInUseError (`'refuse'`, the default), or becomes the owner nevertheless (`'takeOver'`).
   */
  readonly whenInUse?: WhenInUse
  /** Default the system's. */
  readonly clock?: Clock
  /** IANA name; default what the clock of the host shows. */
  readonly timeZone?: string
  /** Hears every event, in order. What it throws is logged, and changes nothing. */
  readonly onEvent?: EventListener
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger
}

/** What a scheduler works with, with all defaults in place. */
export interface SchedulerPorts {
  readonly storage: Storage
  readonly whenInUse: WhenInUse
  readonly clock: Clock
  /** The zone, for an initialization at this instant. */
  readonly zoneAt: (now: number) => TimeZone
  readonly announcer: Announcer
}

const defaultPath = './kron-scheduler.db'
const whenInUses: readonly WhenInUse[] = ['refuse', 'takeOver']
const optionNames = ['storage', 'whenInUse', 'clock', 'timeZone', 'onEvent', 'logger']

export function portsOf(options: SchedulerOptions): SchedulerPorts {
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', options, 'an object')
  }
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name)) {
      throw invalid(
        name,
        undefined,
        `one of ${optionNames.join(', ')}`,
        suggestion(name, optionNames),
      )
    }
  }
  checkMethods('storage', options.storage, ['open', 'change', 'save', 'close'])
  if (options.storage?.own !== undefined) checkMethods('storage', options.storage, ['own'])
  const { whenInUse = 'refuse' } = options
  if (!whenInUses.includes(whenInUse)) {
    throw invalid('whenInUse', whenInUse, `one of ${whenInUses.join(', ')}`)
  }
  checkMethods('clock', options.clock, ['now', 'sleep'])
  if (options.logger !== undefined && (typeof options.logger !== 'object' || !options.logger)) {
    throw invalid('logger', options.logger, 'an object with debug, info, warn, error')
  }
  if (options.onEvent !== undefined && typeof options.onEvent !== 'function') {
    throw invalid('onEvent', options.onEvent, 'a function that takes an event')
  }
  const announcer = new Announcer(options.onEvent, options.logger)
  const clock = options.clock ?? systemClock()
  return {
    storage: watchedStorage(options.storage ?? sqliteStorage(defaultPath), clock, announcer),
    whenInUse,
    clock,
    zoneAt: zoneOf(options.timeZone, announcer),
    announcer,
  }
}

/** One with a name stays the same. That of the host is read at each initialization. */
function zoneOf(name: string | undefined, announcer: Announcer): SchedulerPorts['zoneAt'] {
  if (name !== undefined) {
    const named = namedZone(name)
    return () => named
  }
  let isNoted = false
  return (now) => {
    const host = new HostZone(now)
    const notice = isNoted ? null : hostZoneNotice(host, now)
    isNoted = true
    if (notice !== null) announcer.announce({ ...notice, time: new Date(now) })
    return host
  }
}

function checkMethods(field: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined) return
  const missing = methods.filter(
    (method) => typeof (value as Record<string, unknown> | null)?.[method] !== 'function',
  )
  if (missing.length > 0) throw invalid(field, value, `an object with ${methods.join(', ')}`)
}

function invalid(field: string, value: unknown, allowed: string, hint = ''): ConfigurationError {
  const got = value === undefined ? '' : `, got ${quote(value)}`
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `createScheduler: ${field} must be ${allowed}${got}${hint}`,
    { field, value, allowed },
  )
}
