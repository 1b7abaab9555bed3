import type { Clock } from '@kron/runtime'
import { type Store, StoreError } from '../../packages/server/src/store/index.js'
import type { Random } from '../random.js'
import type { Trouble } from './scenario.js'

/**
 * A real store as one worker sees it: calls take time, fail, or take effect and report a time-out.
 * Once the worker is dead its calls have no effect and no answer.
 */
export function troubledStore(
  store: Store,
  clock: Clock,
  random: Random,
  troubleNow: () => Trouble,
  isDead: () => boolean,
): Store {
  const never = () => new Promise<never>(() => undefined)
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const trouble = troubleNow()
    const before = random.between(0, trouble.slowestCallMs)
    const after = random.between(0, trouble.slowestCallMs)
    const isRefused = random.chance(trouble.refused)
    const isLost = random.chance(trouble.lostAnswers)
    if (before > 0) await clock.sleep(before)
    if (isDead()) return never()
    if (isRefused) throw new StoreError('unavailable', 'the store is away', 'no')
    const answer = await work()
    // It may die between the commit and the answer.
    if (after > 0) await clock.sleep(after)
    if (isDead()) return never()
    if (isLost) throw new StoreError('timeout', 'the answer got lost', 'unknown')
    return answer
  }
  return {
    name: store.name,
    signals: store.signals,
    migrate: () => store.migrate(),
    time: () => call(() => store.time()),
    claim: (request, planning) => call(() => store.claim(request, planning)),
    settleClaim: (claimId, planning) => call(() => store.settleClaim(claimId, planning)),
    record: (outcomes, planning) => call(() => store.record(outcomes, planning)),
    tenant: (tenantId, work) => call(() => store.tenant(tenantId, work)),
    read: (tenantId, work) => call(() => store.read(tenantId, work)),
    system: (work) => call(() => store.system(work)),
    close: async () => undefined,
  }
}
