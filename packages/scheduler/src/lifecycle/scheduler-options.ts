import { ConfigurationError, quote, suggestion, type Zone, zone } from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import { Announcer, type EventListener, type Logger } from '../event/index.js'
import { type Storage, sqliteStorage, type WhenInUse } from '../storage/index.js'

export interface SchedulerOptions {
  /** Where state is kept; default `sqliteStorage('./kron-scheduler.db')`. */
  readonly storage?: Storage
  /**
   * What `initialize` does when another process owns the storage and lives: it rejects with a
   * StorageInUseError (`'refuse'`, the default), or becomes the owner all the same (`'takeOver'`).
   */
  readonly whenInUse?: WhenInUse
  /** Default the system's. */
  readonly clock?: Clock
  /** IANA name; default the host's local zone. */
  readonly timeZone?: string
  /** Hears every event, in order. What it throws is logged, and changes nothing. */
  readonly onEvent?: EventListener
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger
}

/** The world of a scheduler, with all defaults in place. */
export interface Surroundings {
  readonly storage: Storage
  readonly whenInUse: WhenInUse
  readonly clock: Clock
  readonly zone: Zone
  readonly announcer: Announcer
}

const defaultPath = './kron-scheduler.db'
const whenInUses: readonly WhenInUse[] = ['refuse', 'takeOver']
const optionNames = ['storage', 'whenInUse', 'clock', 'timeZone', 'onEvent', 'logger']

export function surroundingsOf(options: SchedulerOptions): Surroundings {
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
  const whenInUse = options.whenInUse ?? 'refuse'
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
  return {
    storage: options.storage ?? sqliteStorage(defaultPath),
    whenInUse,
    clock: options.clock ?? systemClock(),
    zone: zone(options.timeZone ?? hostZone()),
    announcer: new Announcer(options.onEvent, options.logger),
  }
}

/** Hosts without a zone that has a name report none, or one of no place: they are in UTC. */
function hostZone(): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name
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
