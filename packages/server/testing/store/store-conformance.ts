import { afterAll, beforeAll, describe } from 'vitest'
import type { SystemQuotas } from '../../src/domain/index.js'
import type { Store } from '../../src/store/store.js'
import { describeAttention } from './attention-conformance.js'
import { describeBroken } from './broken-conformance.js'
import { describeClaim } from './claim-conformance.js'
import { describeConcurrency } from './concurrency-conformance.js'
import { describeDeleted } from './deleted-conformance.js'
import { describeEndpoints } from './endpoint-conformance.js'
import { describeExcess } from './excess-conformance.js'
import { describeHistory } from './history-conformance.js'
import { describeIdempotency } from './idempotency-conformance.js'
import { describeIsolation } from './isolation-conformance.js'
import { describeJobs } from './job-conformance.js'
import { describeKeys } from './key-conformance.js'
import { describeLearned } from './learned-conformance.js'
import { describeLogOuts } from './log-out-conformance.js'
import { describeLoss } from './loss-conformance.js'
import { describeOlder } from './older-conformance.js'
import { describeOperators } from './operator-conformance.js'
import { describeOverlap } from './overlap-conformance.js'
import { describeQuota } from './quota-conformance.js'
import { describeReading } from './reading-conformance.js'
import { describeRecord } from './record-conformance.js'
import { describeRelease } from './release-conformance.js'
import { describeRequested } from './requested-conformance.js'
import { describeRestore } from './restore-conformance.js'
import { describeRetention } from './retention-conformance.js'
import { describeRuns } from './run-conformance.js'
import { describeSecrets } from './secret-conformance.js'
import { describeSettle } from './settle-conformance.js'
import { describeSuspended } from './suspended-conformance.js'
import { describeSystemQuota } from './system-quota-conformance.js'
import { describeTenants } from './tenant-conformance.js'
import { describeTransactions } from './transaction-conformance.js'
import { checksOn } from './world-conformance.js'

/** Answers the same data whenever it is asked, unless that is in memory. */
type OpenStore = (now: () => number, systemQuotas?: SystemQuotas) => Promise<Store>

/**
 * What every store must do, however it does it. `open` answers an empty one that is migrated; a
 * store with a clock of its own need not look at the one it is given.
 */
export function describeStore(name: string, open: OpenStore): void {
  describe(`${name} as a store`, () => {
    let store: Store
    let now = Date.UTC(2026, 2, 15, 12, 0, 30)
    const clock = () => ++now
    beforeAll(async () => {
      store = await open(clock)
    })
    afterAll(() => store.close())

    const check = checksOn(() => store)
    for (const part of [
      describeTenants,
      describeIsolation,
      describeTransactions,
      describeReading,
      describeJobs,
      describeEndpoints,
      describeRuns,
      describeDeleted,
      describeKeys,
      describeSecrets,
      describeHistory,
      describeIdempotency,
      describeLogOuts,
      describeAttention,
      describeRetention,
      describeExcess,
      describeClaim,
      describeQuota,
      describeOverlap,
      describeRequested,
      describeSuspended,
      describeConcurrency,
      describeSettle,
      describeRecord,
      describeLearned,
      describeRelease,
      describeLoss,
      describeBroken,
      describeRestore,
      describeOperators,
      describeOlder,
    ]) {
      part(check)
    }
    describeSystemQuota((quotas) => open(clock, quotas))
  })
}
