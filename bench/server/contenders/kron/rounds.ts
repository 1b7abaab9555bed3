import type { Store } from '../../../../packages/server/dist/store/index.js'
import type { Contender } from '../../contender.ts'
import { addEndpoints } from './endpoints.ts'
import { untilRecorded } from './recorded.ts'
import { startWorker } from './worker.ts'

/** The rounds of a worker in this process, and of others if there are any to be told. */
export function roundsOn(
  store: Store,
  tellOthers: (what: 'start' | 'stop') => Promise<void> = async () => {},
): Contender {
  let round = { tenantIds: [] as readonly string[], dueAt: 0 }
  let started: ReturnType<typeof startWorker> | undefined
  return {
    async prepare(assignment) {
      const tenantIds = await addEndpoints(store, assignment)
      round = { tenantIds, dueAt: assignment.dueAt }
    },
    async run() {
      started = startWorker(store)
      const { worker } = started
      await tellOthers('start')
      await untilRecorded(store, round.tenantIds, round.dueAt, () => worker.inFlight > 0)
    },
    async rest() {
      await started?.stop()
      await tellOthers('stop')
    },
  }
}
