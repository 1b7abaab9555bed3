import { expect, it } from 'vitest'
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
