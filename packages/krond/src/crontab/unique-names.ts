import { createHash } from 'node:crypto'
import { nameOfCommand } from './job-name.js'

/** What tells two jobs of one file apart. */
export interface Nameable {
  readonly schedule: string
  readonly user: string
  readonly command: string
}

/**
 * Names for all jobs of a file. None depends on where its line stands: jobs that would have the
 * same name get a hash of what they are, and only lines that are equal in everything are counted.
 */
export function uniqueNames(jobs: readonly Nameable[]): string[] {
  const plain = jobs.map(({ command }) => nameOfCommand(command))
  const users = countsOf(plain)
  const taken = new Set(plain.filter((name) => users.get(name) === 1))
  return jobs.map((job, index) => {
    const name = plain[index]!
    if (users.get(name) === 1) return name
    return free(`${name}-${shortHash(job)}`, taken)
  })
}

/** The name, or with a number behind it when it is taken; takes it. */
export function free(name: string, taken: Set<string>): string {
  let candidate = name
  for (let number = 2; taken.has(candidate); number++) candidate = `${name}-${number}`
  taken.add(candidate)
  return candidate
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function shortHash({ schedule, user, command }: Nameable): string {
  const hash = createHash('sha256').update([schedule, user, command].join('\n'))
  return hash.digest('hex').slice(0, 6)
}
