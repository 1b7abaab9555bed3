import { createLog, MetricRegistry, systemClock } from '@kron/runtime'
import {
  createAddressGuard,
  createDispatcher,
} from '../../../../packages/server/dist/dispatch/index.js'
import {
  createVault,
  newSealingKeyText,
  parseSealingKeys,
} from '../../../../packages/server/dist/secrets/index.js'
import { keepCode } from '../../../../packages/server/dist/start/keep-code.js'
import type { Store } from '../../../../packages/server/dist/store/index.js'
import { defaultWorkerLimits, Worker } from '../../../../packages/server/dist/worker/worker.js'
import { connections } from '../../sender.ts'

/** A worker as `kron serve` has it, with as many connections to the target as everybody has. */
export function startWorker(store: Store): { readonly worker: Worker; stop(): Promise<void> } {
  keepCode()
  const clock = systemClock()
  const dispatcher = createDispatcher({
    addressGuard: createAddressGuard({ allow: ['127.0.0.1'] }),
    maxConnectionsPerOrigin: connections,
    now: () => Date.now(),
  })
  const log = createLog({
    clock,
    component: 'bench',
    level: 'warn',
    format: 'text',
    write: (line) => process.stderr.write(`${line}\n`),
  })
  const worker = new Worker({
    ...defaultWorkerLimits,
    store,
    dispatcher,
    vault: createVault(parseSealingKeys(newSealingKeyText(), 'bench')),
    clock,
    elapsed: () => performance.now(),
    random: Math.random,
    log,
    metrics: new MetricRegistry(),
  })
  worker.start()
  return {
    worker,
    stop: async () => {
      await worker.stop(10_000)
      await dispatcher.close()
    },
  }
}
