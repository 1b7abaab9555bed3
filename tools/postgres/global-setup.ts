import type { TestProject } from 'vitest/node'
import { postgresUnavailable, startPostgres } from './start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one server of this run; null where there is none, which was said at its start. */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const reason = postgresUnavailable()
  if (reason !== null) {
    // A run that is meant to check everything must not pass without it.
    if (process.env['CI']) throw new Error(reason)
    process.stderr.write(`Not tested on PostgreSQL: ${reason}\n`)
    project.provide('postgresUrl', null)
    return async () => {}
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
