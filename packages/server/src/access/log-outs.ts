import { instantText } from '../domain/index.js'
import type { Store } from '../store/index.js'
import type { Session } from './session-token.js'

/** Sessions are kept by browsers alone; what is kept here is which of them have ended early. */
export class LogOuts {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  add({ tenantId, keyId, id, expiresAt }: Session): Promise<void> {
    return this.#store.tenant(tenantId, async (rows) => {
      await rows.logOuts.add(id, expiresAt)
      await rows.audit.append({
        actor: `key:${keyId}`,
        action: 'session.end',
        subject: keyId,
        before: { expiresAt: instantText(expiresAt) },
        after: null,
        reason: null,
      })
    })
  }

  has({ tenantId, id }: Session): Promise<boolean> {
    return this.#store.tenant(tenantId, (rows) => rows.logOuts.has(id))
  }
}
