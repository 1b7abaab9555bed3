import { expect, it } from 'vitest'
import { mayUse } from './caller.js'
import { hashOfKey, isKeyText, newKeyText } from './key-text.js'

it('a new key has its form, shows its prefix, and is told apart by its hash', () => {
  const keys = Array.from({ length: 100 }, () => newKeyText())
  expect(new Set(keys.map(({ hash }) => hash)).size).toBe(100)
  for (const { text, prefix, hash } of keys) {
    expect(text).toMatch(/^kron_[0-9a-z]{8}_[0-9a-z]{40}$/)
    expect(text.startsWith(`${prefix}_`)).toBe(true)
    expect(isKeyText(text)).toBe(true)
    expect(hashOfKey(text)).toBe(hash)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  }
})

it.each(['', 'kron_', 'kron_12345678_', `x${newKeyText().text}`, `${newKeyText().text}0`])(
  '%j is no key',
  (text) => {
    expect(isKeyText(text)).toBe(false)
  },
)

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
