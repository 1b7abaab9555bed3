import type { SecretValue, SigningSecret } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { loadSecret } from './load-secret.js'
import type { StoredSecret } from './put-secret.js'
import { newValue } from './secret-value.js'

/** However often it is rotated: each of them is one more signature in every request. */
const maxValues = 4

export interface Rotation {
  /** How long the values before it go on signing. */
  readonly overlapMinutes: number
  readonly value: string | null
}

/** A new value signs from now on, and the old ones as well until the overlap is over. */
export async function rotateSecret(
  call: Call,
  name: string,
  { overlapMinutes, value: given }: Rotation,
): Promise<StoredSecret> {
  const { rows } = call
  const before = await loadSecret(call, name)
  const overlapEnd = rows.now + overlapMinutes * 60_000
  const { text, value } = newValue(call, given)
  const old = before.values
    .map((past) => ({ ...past, expiresAt: Math.min(past.expiresAt ?? overlapEnd, overlapEnd) }))
    .filter((past: SecretValue) => past.expiresAt !== null && past.expiresAt > rows.now)
  const secret: SigningSecret = {
    ...before,
    version: before.version + 1,
    updatedAt: rows.now,
    values: [value, ...old].slice(0, maxValues),
  }
  await rows.secrets.put(secret)
  await auditChange(call, {
    action: 'secret.rotate',
    subject: secret.id,
    before: { version: before.version },
    after: { version: secret.version, overlapMinutes },
  })
  return { secret, created: false, text: given === null ? text : null }
}
