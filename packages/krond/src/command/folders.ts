import { userFolder } from '@kron/command'

/** Who calls. Nothing else decides on folders that nobody named, in any command. */
export interface Person {
  readonly uid: number
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The same, with where relative paths start. */
export interface Caller extends Person {
  readonly absolute: (path: string) => string
}

export const systemKrontabFolder = '/etc/krond.d'

export function stateFolder(given: string | undefined, caller: Caller): string {
  if (given !== undefined) return caller.absolute(given)
  return caller.uid === 0 ? '/var/lib/krond' : userFolder(caller, 'state', 'krond')
}

/** Root's is the system's, even if root has one in its home; everybody else has their own. */
export const defaultKrontabFolder = (person: Person): string =>
  person.uid === 0 ? systemKrontabFolder : userFolder(person, 'config', 'krond')
