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
  return jobs.map((job) => free(`${nameOfCommand(job.command)}-${shortHash(job)}`, taken))
}

/** The name, or with a number behind it when it is taken; takes it. */
export function free(name: string, taken: Set<string>): string {
  let candidate = name
  for (let number = 2; taken.has(candidate); number++) candidate = `${name}-${number}`
  taken.add(candidate)
  return candidate
}

/** With 32 bits not even a thousand lines of one program are likely to have one twice. */
function shortHash({ schedule, user, command }: Nameable): string {
  const hash = createHash('sha256').update([schedule, user, command].join('\n'))
  return hash.digest('hex').slice(0, 8)
}
