import { createHash } from 'node:crypto'
import { nameOfCommand } from './job-name.js'

/** What tells two jobs of one file apart. */
export interface Nameable {
  readonly schedule: string
  readonly user: string
  readonly command: string
}

/**
 * Names for all jobs of a file. Each says what the job is, and nothing else of the file: a line that
 * is added above, below or with the same command renames no other. Identities are made of these
 * names, so that a renamed job would be a new one, with other times and without its history. Only
 * lines that are equal in everything are counted.
 */
export function uniqueNames(jobs: readonly Nameable[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return jobs.map((job) => {
    const name = `${nameOfCommand(job.command)}-${shortHash(job)}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return free(name, taken, count)
  })
}

/** The name, or with a number behind it when it is taken; takes it. Numbers begin at `first`. */
export function free(name: string, taken: Set<string>, first = 1): string {
  let number = first
  while (taken.has(numbered(name, number))) number++
  taken.add(numbered(name, number))
  return numbered(name, number)
}

const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name}-${number}`

/** With 32 bits not even a thousand lines of one program are likely to have one twice. */
function shortHash({ schedule, user, command }: Nameable): string {
  const hash = createHash('sha256').update([schedule, user, command].join('\n'))
  return hash.digest('hex').slice(0, 8)
}
