import { readFileSync, readlinkSync } from 'node:fs'
import { zone } from '@kron/core'

/** Where a machine says which zone it is in. */
export interface ZoneSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The first line of a file; null when there is none. */
  readonly line: (path: string) => string | null
  /** What a symbolic link points to; null when there is none. */
  readonly link: (path: string) => string | null
}

/** The zone of the system: TZ, /etc/timezone, the link /etc/localtime, or UTC. */
export function systemTimezone(sources: ZoneSources = machine): string {
  const candidates = [
    () => sources.env['TZ'],
    () => sources.line('/etc/timezone'),
    () => sources.link('/etc/localtime'),
  ]
  for (const candidate of candidates) {
    const name = knownZone(candidate())
    if (name !== null) return name
  }
  return 'UTC'
}

function knownZone(text: string | null | undefined): string | null {
  const name = (text ?? '')
    .trim()
    .replace(/^:/, '')
    .replace(/^.*\/zoneinfo\/(?:posix\/|right\/)?/, '')
  try {
    if (name === '') return null
    // Etc/UTC and its like: schedules in UTC need no @tz.
    return zone(name).isUtc ? 'UTC' : name
  } catch {
    return null
  }
}

const machine: ZoneSources = {
  env: process.env,
  line: (path) => orNull(() => readFileSync(path, 'utf8').split('\n')[0] ?? null),
  link: (path) => orNull(() => readlinkSync(path)),
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
