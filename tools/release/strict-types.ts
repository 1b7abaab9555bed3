import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { root } from '../package/published.ts'

const program = `import { compileJob, type Decision, parseCron } from '@kron/core'
import { parseCron as parseUtcCron } from '@kron/core/zoneless'
import type { KronJobManifest } from '@kron/operator'
import { systemClock } from '@kron/runtime'
import { createScheduler, Duration, memoryStorage, type Scheduler } from '@kron/scheduler'
import { VirtualClock } from '@kron/scheduler/testing'
import { type Server, startServer } from '@kron/server'
import { type Verification, verify } from '@kron/server/webhook'

export const job = compileJob({ identity: 'a', schedule: '0 3 * * *' })
export const decision: Decision = job.decide(0)
export const crons = [parseCron('0 3 * * *'), parseUtcCron('0 3 * * *')]
export const now: Date = systemClock().now()
export const scheduler: Scheduler = createScheduler({
  storage: memoryStorage(),
  clock: new VirtualClock(new Date(0)),
})
export const wait = Duration.minutes(5)
export const kronJob: KronJobManifest = {
  apiVersion: 'kron.io/v1alpha1',
  kind: 'KronJob',
  metadata: { name: 'backup' },
  spec: { schedule: '0 2 * * *', window: { duration: '3h' }, jobTemplate: { spec: {} } },
}
export const server: Promise<Server> = startServer({ data: 'kron-data', port: 0 })
export const verification: Verification = verify(['whsec_...'], { 'webhook-id': 'run_7' }, '{}')
`

/** Compiles a program that uses every entry, with the declarations of the packages checked too. */
export function checkTypes(project: string): void {
  mkdirSync(`${project}/types`, { recursive: true })
  writeFileSync(`${project}/types/program.ts`, program)
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      // AbortSignal is declared there, or by @types/node.
      lib: ['es2022', 'dom'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    }
    const config = { compilerOptions, files: ['program.ts'] }
    writeFileSync(`${project}/types/tsconfig.json`, JSON.stringify(config))
    execFileSync(`${root}/node_modules/.bin/tsc`, ['-p', `${project}/types`], { stdio: 'pipe' })
  }
}
