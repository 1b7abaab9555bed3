import { join } from 'node:path'

/** Who asks. Nothing else decides on folders that nobody named, in all commands of both programs. */
export interface Person {
  readonly uid: number
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Surroundings extends Person {
  readonly absolute: (path: string) => string
}

export const systemKrontabFolder = '/etc/krond.d'

export function stateFolder(given: string | undefined, surroundings: Surroundings): string {
  if (given !== undefined) return surroundings.absolute(given)
  if (surroundings.uid === 0) return '/var/lib/krond'
  return join(userBase(surroundings, 'XDG_STATE_HOME', '.local/state'), 'krond')
}

/** Root's is the system's, even if root has one of its own; everybody else has their own. */
export function defaultKrontabFolder(person: Person): string {
  if (person.uid === 0) return systemKrontabFolder
  return join(userBase(person, 'XDG_CONFIG_HOME', '.config'), 'krond')
}

function userBase({ env, home }: Person, variable: string, below: string): string {
  const configured = env[variable]
  return configured?.startsWith('/') ? configured : join(home, below)
}
