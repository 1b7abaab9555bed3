import { createHash } from 'node:crypto'
import { limits } from '@kron/core'

/**
 * What a new endpoint is seeded with. It is made of names alone, so that times can be foretold
 * before the endpoint is saved, and are the same where it is made again from an export.
 */
export function seedIdentity(tenant: string, job: string, name: string): string {
  const identity = `${tenant}/${job}/${name}`
  if (Buffer.byteLength(identity) <= limits.identityBytes) return identity
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`
}
