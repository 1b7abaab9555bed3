import { join } from 'node:path'

/** The person who calls a program, as far as folders go by it. */
export interface Person {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const bases = {
  config: ['XDG_CONFIG_HOME', '.config'],
  state: ['XDG_STATE_HOME', '.local/state'],
} as const

/** Where a program keeps what is of one user, as XDG has it: a path that is not absolute is none. */
export function userFolder(
  { home, env }: Person,
  kind: keyof typeof bases,
  program: string,
): string {
  const [variable, below] = bases[kind]
  const configured = env[variable]
  return join(configured?.startsWith('/') ? configured : join(home, below), program)
}
