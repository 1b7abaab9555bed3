import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openPostgresStore } from '@kron/server'
import type { Contender, CreateContender } from '../contender.ts'
import { addEndpoints } from './kron/endpoints.ts'
import { untilRecorded } from './kron/recorded.ts'
import { startWorker } from './kron/worker.ts'

const helper = fileURLToPath(new URL('kron/worker-process.ts', import.meta.url))

/** This process works, and further ones beside it. */
export const kronWith =
  (workers: number): CreateContender =>
  async ({ databaseUrl }): Promise<Contender> => {
    const store = openPostgresStore({ url: databaseUrl })
    await store.migrate()
    const others: ChildProcess[] = []
    for (let other = 1; other < workers; other++) {
      const child = fork(helper, [databaseUrl])
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
    let round = { tenantId: '', dueAt: 0 }
    let started: ReturnType<typeof startWorker> | undefined
    return {
      async prepare(assignment) {
        const tenantId = await addEndpoints(store, assignment)
        round = { tenantId, dueAt: assignment.dueAt }
      },
      async run() {
        started = startWorker(store)
        const { worker } = started
        await tellOthers('start')
        await untilRecorded(store, round.tenantId, round.dueAt, () => worker.inFlight > 0)
      },
      async rest() {
        await started?.stop()
        await tellOthers('stop')
      },
    }
  }

export const create = kronWith(1)
