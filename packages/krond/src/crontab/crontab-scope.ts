import { ConfigurationError, type KronError, quote, zone } from '@kron/core'
import type { Variable } from './crontab-line.js'

/** What the variables above a line say about it. */
export interface Scope {
  readonly env: ReadonlyMap<string, string>
  /** null after a CRON_TZ that names no zone. */
  readonly timezone: string | null
  /** Cronie's RANDOM_DELAY. */
  readonly delayMinutes: number
}

/** Cron sets these itself, whatever the file says. */
const ofCron = new Set(['LOGNAME', 'USER'])
const longestDelayMinutes = 7 * 24 * 60

/** The scope below a variable. `note` gets what a reader should know about it. */
export function scopeAfter(
  scope: Scope,
  { name, value }: Variable,
  systemZone: string,
  note: (message: string) => void,
): Scope {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    note(`${quote(name)} is not a name that a shell accepts; the variable is left out`)
    return scope
  }
  if (ofCron.has(name)) {
    note(`${name} is always the name of the user; the line has no effect`)
    return scope
  }
  const env = new Map(scope.env).set(name, value)
  if (name === 'CRON_TZ') {
    const timezone = zoneOf(value, systemZone)
    if (timezone !== null && timezone !== systemZone) note(otherZone(timezone, systemZone))
    return { ...scope, env, timezone }
  }
  if (name === 'RANDOM_DELAY') return { ...scope, env, delayMinutes: delayOf(value, note) }
  if (name === 'MAILTO' && value !== '') {
    note('krond sends no mail: what jobs write goes to its log')
  }
  if (name === 'TZ') {
    note(
      'TZ only reaches the commands: times in this file are in the zone of the system, or of CRON_TZ',
    )
  }
  return { ...scope, env }
}

const otherZone = (timezone: string, systemZone: string): string =>
  `krond follows CRON_TZ, as cronie does: jobs below it run in the zone ${timezone}. Debian's cron ` +
  `ignores CRON_TZ and runs them in the zone of the system, ${systemZone}`

function zoneOf(value: string, systemZone: string): string | null {
  if (value === '') return systemZone
  try {
    return zone(value.replace(/^:/, '')).name
  } catch {
    return null
  }
}

/** Why a CRON_TZ can't be used. */
export function unknownZone(value: string): KronError {
  try {
    zone(value)
  } catch (error) {
    return error as KronError
  }
  return new ConfigurationError('KRON_ZONE_UNKNOWN', `unknown time zone ${quote(value)}`, {
    field: 'CRON_TZ',
    value,
  })
}

function delayOf(value: string, note: (message: string) => void): number {
  if (/^\d{1,6}$/.test(value)) return Math.min(Number(value), longestDelayMinutes)
  note(`RANDOM_DELAY must be a number of minutes, got ${quote(value)}; there is no delay`)
  return 0
}
