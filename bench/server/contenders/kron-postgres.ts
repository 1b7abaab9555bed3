import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openPostgresStore } from '../../../packages/server/dist/store/postgres/postgres-store.js'
import type { CreateContender } from '../contender.ts'
import { roundsOn } from './kron/rounds.ts'

const workerProcess = fileURLToPath(new URL('kron/worker-process.ts', import.meta.url))

/** This process works, and further ones beside it. */
export const kronWith =
  (workers: number): CreateContender =>
  async ({ databaseUrl }) => {
    const store = openPostgresStore({ url: databaseUrl })
    await store.migrate()
    const others: ChildProcess[] = []
    for (let other = 1; other < workers; other++) {
      const child = fork(workerProcess, [databaseUrl])
      await once(child, 'message')
      others.push(child)
    }
    process.once('exit', () => {
      for (const child of others) child.kill()
    })
    const tellOthers = async (what: 'start' | 'stop'): Promise<void> => {
      for (const child of others) child.send(what)
      await Promise.all(others.map((child) => once(child, 'message')))
    }
    return roundsOn(store, tellOthers)
  }

export const create = kronWith(1)
