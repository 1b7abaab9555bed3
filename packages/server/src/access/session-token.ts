import { randomText } from '../domain/index.js'
import { type SealContext, type Vault, VaultError } from '../secrets/index.js'

/** A dashboard session. It is kept by the browser alone, in a cookie that only we can read. */
export interface Session {
  /** By which it can be ended. */
  readonly id: string
  readonly tenantId: string
  readonly keyId: string
  readonly expiresAt: number
  /** What a changing request must repeat in a header, which no other site can make a browser do. */
  readonly csrf: string
}

const idCharacters = 26
const csrfCharacters = 32
const context: SealContext = { purpose: 'session', tenantId: null }

export function newSession(tenantId: string, keyId: string, expiresAt: number): Session {
  const id = randomText(idCharacters)
  return { id, tenantId, keyId, expiresAt, csrf: randomText(csrfCharacters) }
}

export function sealSession(vault: Vault, session: Session): string {
  const { id, tenantId, keyId, expiresAt, csrf } = session
  return vault.seal(JSON.stringify([tenantId, keyId, expiresAt, csrf, id]), context)
}

/** The session in a cookie, or null when it is not one of ours. It may have expired. */
export function openSession(vault: Vault, token: string): Session | null {
  try {
    const [tenantId, keyId, expiresAt, csrf, id] = JSON.parse(vault.open(token, context))
    // One from before sessions had ids could not be ended.
    return id === undefined ? null : { id, tenantId, keyId, expiresAt, csrf }
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
