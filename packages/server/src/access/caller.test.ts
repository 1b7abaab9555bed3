import { expect, it } from 'vitest'
import type { ApiKey, Tenant } from '../domain/index.js'
import { actorOf, mayUse } from './caller.js'

it('admin may everything, write and run may read, and nobody else may more', () => {
  const scopes = ['read', 'write', 'run', 'admin'] as const
  const allowed = Object.fromEntries(
    scopes.map((granted) => [granted, scopes.filter((needed) => mayUse([granted], needed))]),
  )
  expect(allowed).toEqual({
    read: ['read'],
    write: ['read', 'write'],
    run: ['read', 'run'],
    admin: ['read', 'write', 'run', 'admin'],
  })
  expect(mayUse([], 'read')).toBe(false)
})

it('changes are written down under the id of the key', () => {
  const [key, tenant] = [{ id: 'key_1' } as ApiKey, {} as Tenant]
  expect(actorOf({ key, tenant, session: null })).toBe('key:key_1')
})
