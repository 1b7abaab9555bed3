import type { Log } from '@kron/runtime'
import { type ApiKey, instantText } from '../domain/index.js'
import type { Store } from '../store/index.js'
import { hashOfKey, isKeyText } from './key-text.js'
import type { Session } from './session-token.js'

/**
 * Writes down who has logged in, and who was refused: in the audit log of the tenant whose key it
 * was, and what is nobody's key in the log of the server. An entry is written before the answer is
 * given; dying in between leaves one of a session that nobody has.
 */
export class LogIns {
  readonly #store: Store
  readonly #log: Log

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** `from`: the network that the request came from. */
  async begun({ tenantId, keyId, expiresAt }: Session, from: string): Promise<void> {
    await this.#store.tenant(tenantId, ({ audit }) =>
      audit.append({
        ...byKey(keyId),
        action: 'session.create',
        after: { from, expiresAt: instantText(expiresAt) },
        reason: null,
      }),
    )
  }

  async refused(text: string, from: string): Promise<void> {
    const { key, reason } = await this.#refusalOf(text)
    this.#log.warn('log_in_refused', { from, reason, ...(key && { key: key.id }) })
    if (key === null) return
    const { id, tenantId } = key
    await this.#store.tenant(tenantId, ({ audit }) =>
      audit.append({ ...byKey(id), action: 'session.refuse', after: { from }, reason }),
    )
  }

  async #refusalOf(
    text: string,
  ): Promise<{ readonly key: ApiKey | null; readonly reason: string }> {
    if (!isKeyText(text)) return { key: null, reason: 'not a key' }
    return this.#store.system(async (rows) => {
      const key = await rows.keyByHash(hashOfKey(text))
      if (key === null) return { key, reason: 'unknown key' }
      if (key.revokedAt !== null) return { key, reason: 'revoked key' }
      if (key.expiresAt !== null && key.expiresAt <= rows.now) return { key, reason: 'expired key' }
      return { key, reason: 'suspended tenant' }
    })
  }
}

const byKey = (id: string) => ({ actor: `key:${id}`, subject: id, before: null })

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
