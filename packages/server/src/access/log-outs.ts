import type { Store } from '../store/index.js'
import type { Session } from './session-token.js'

/** Sessions are kept by browsers alone; what is kept here is which of them have ended early. */
export class LogOuts {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  add({ tenantId, id, expiresAt }: Session): Promise<void> {
    return this.#store.tenant(tenantId, (rows) => rows.logOuts.add(id, expiresAt))
  }

  has({ tenantId, id }: Session): Promise<boolean> {
    return this.#store.tenant(tenantId, (rows) => rows.logOuts.has(id))
  }
}
