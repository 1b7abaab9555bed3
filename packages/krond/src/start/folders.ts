import { join } from 'node:path'

/** Where things are when nothing is said: for root the system's folders, else the user's own. */
export interface Surroundings {
  readonly uid: number
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly absolute: (path: string) => string
}

export function stateFolder(given: string | undefined, surroundings: Surroundings): string {
  if (given !== undefined) return surroundings.absolute(given)
  if (surroundings.uid === 0) return '/var/lib/krond'
  return join(userBase(surroundings, 'XDG_STATE_HOME', '.local/state'), 'krond')
}

export function defaultKrontabFolder(surroundings: Surroundings): string {
  if (surroundings.uid === 0) return '/etc/krond.d'
  return join(userBase(surroundings, 'XDG_CONFIG_HOME', '.config'), 'krond')
}

function userBase({ env, home }: Surroundings, variable: string, below: string): string {
  const configured = env[variable]
  return configured?.startsWith('/') ? configured : join(home, below)
}
