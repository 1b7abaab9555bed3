import { randomText } from '../domain/index.js'
import { type SealContext, type Vault, VaultError } from '../secrets/index.js'

/** A dashboard session. It is kept by the browser alone, in a cookie that only we can read. */
export interface Session {
  readonly tenantId: string
  readonly keyId: string
  readonly expiresAt: number
  /** What a changing request must repeat in a header, which no other site can make a browser do. */
  readonly csrf: string
}

const csrfCharacters = 32
const context: SealContext = { purpose: 'session', tenantId: null }

export function newSession(tenantId: string, keyId: string, expiresAt: number): Session {
  return { tenantId, keyId, expiresAt, csrf: randomText(csrfCharacters) }
}

export function sealSession(vault: Vault, session: Session): string {
  const { tenantId, keyId, expiresAt, csrf } = session
  return vault.seal(JSON.stringify([tenantId, keyId, expiresAt, csrf]), context)
}

/** The session in a cookie, or null when it is not one of ours. It may have expired. */
export function openSession(vault: Vault, token: string): Session | null {
  try {
    const [tenantId, keyId, expiresAt, csrf] = JSON.parse(vault.open(token, context))
    return { tenantId, keyId, expiresAt, csrf }
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
