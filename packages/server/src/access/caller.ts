import type { ApiKey, Scope, Tenant } from '../domain/index.js'
import type { Session } from './session-token.js'

/** Who makes a request, once that is known. */
export interface Caller {
  readonly tenant: Tenant
  readonly key: ApiKey
  /** By which a browser asks; null for who sends the key itself. */
  readonly session: Session | null
}

/** `admin` may everything; a key that may change or run something may also read. */
export function mayUse(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes('admin') || granted.includes(needed)) return true
  return needed === 'read' && granted.length > 0
}

/** The name under which changes are written to the audit log. */
export function actorOf({ key }: Caller): string {
  return `key:${key.id}`
}
