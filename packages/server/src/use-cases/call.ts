import type { AddressGuard } from '../dispatch/index.js'
import type { IntervalHint } from '../domain/index.js'
import type { Vault } from '../secrets/index.js'
import type { RunEvent, Store, TenantTransaction } from '../store/index.js'

export interface UseCasePorts {
  readonly store: Store
  readonly vault: Vault
  readonly addressGuard: AddressGuard
}

/** Who asks for a use case. */
export interface Asker {
  readonly tenantId: string
  /** As the audit log names it: `key:<id>`, `system`. */
  readonly actor: string
  /** The name of its key, where it is one. */
  readonly keyName?: string
}

/** One use case at work: everything it does is in one transaction of one tenant. */
export interface Call extends Asker {
  readonly rows: TenantTransaction
  readonly vault: Vault
  readonly addressGuard: AddressGuard
  /** An event for those who follow the tenant, sent once the transaction has committed. */
  announce(type: RunEvent['type'], subject: string, status: string | null): void
}

/** When the work throws, all that it did is undone. */
export async function inCall<T>(
  ports: UseCasePorts,
  asker: Asker,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const { store, vault, addressGuard } = ports
  const { tenantId } = asker
  let events: RunEvent[] = []
  const result = await store.tenant(tenantId, (rows) => {
    // A store may have to repeat the work; what the first try announced did not happen.
    events = []
    const announce: Call['announce'] = (type, subject, status) =>
      void events.push({ tenantId, type, subject, status, at: rows.now })
    return work({ ...asker, rows, vault, addressGuard, announce })
  })
  if (events.length > 0) store.signals.publish(events)
  return result
}

/** The same for a use case that only reads, however much. */
export function inReading<T>(
  { store, vault, addressGuard }: UseCasePorts,
  asker: Asker,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const announce = (): never => {
    throw new Error('a use case that changes nothing has nothing to announce')
  }
  return store.read(asker.tenantId, (rows) =>
    work({ ...asker, rows, vault, addressGuard, announce }),
  )
}

/** Who gives a hint, as plans name it: a key by its id and its name. */
export function giving({ actor, keyName }: Asker): Pick<IntervalHint, 'by' | 'keyName'> {
  const by = actor.startsWith('key:') ? actor.slice('key:'.length) : actor
  return { by, ...(keyName !== undefined && { keyName }) }
}
