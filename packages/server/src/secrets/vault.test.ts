import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createVault,
  newSealingKeyText,
  parseSealingKeys,
  type SealContext,
  VaultError,
} from './index.js'

const [first, second] = [newSealingKeyText(), newSealingKeyText()]
const vaultOf = (...keys: string[]) => createVault(parseSealingKeys(keys.join(','), 'test'))
const header: SealContext = { purpose: 'header', tenantId: 'ten_1' }

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof VaultError) return error.code
    throw error
  }
  return 'nothing was thrown'
}

describe('a vault', () => {
  it('opens what it sealed, whatever it was', () => {
    const vault = vaultOf(first)
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    const property = fc.property(text, (plain) => {
      expect(vault.open(vault.seal(plain, header), header)).toBe(plain)
    })
    fc.assert(property, { numRuns: 300, seed: 41 })
  })

  it('opens for ever what was sealed once, and knows its fingerprint', () => {
    const vault = vaultOf('BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=')
    const sealed = 'k1.353e7c04.AQEBAQEBAQEBAQEBG5ipx_HMn3m-prhcxCerUJzekQzYy6PyQrp6'
    expect(vault.open(sealed, header)).toBe('my password')
    const fingerprint = '353e7c04.aZcPYZnuoaZjcXeMbQxmJXencxKZZVJ0woG-h-SR-ik'
    expect(vault.isFingerprint(fingerprint, 'my password', header)).toBe(true)
  })

  it('seals the same text differently each time, and shows nothing of it', () => {
    const vault = vaultOf(first)
    const sealed = new Set(Array.from({ length: 50 }, () => vault.seal('my password', header)))
    expect(sealed.size).toBe(50)
    for (const text of sealed) expect(text).not.toContain('password')
  })

  it.each<SealContext>([
    { purpose: 'header', tenantId: 'ten_2' },
    { purpose: 'secret', tenantId: 'ten_1' },
    { purpose: 'header', tenantId: null },
  ])('does not open for another tenant or use: %j', (other) => {
    const vault = vaultOf(first)
    const sealed = vault.seal('text', header)
    expect(codeOf(() => vault.open(sealed, other))).toBe('sealed_invalid')
  })

  it('notices every changed character', () => {
    const vault = vaultOf(first)
    const sealed = vault.seal('text', header)
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      const sameBytes =
        at > 12 &&
        Buffer.from(changed.slice(12), 'base64url').equals(
          Buffer.from(sealed.slice(12), 'base64url'),
        )
      if (!sameBytes) expect(codeOf(() => vault.open(changed, header))).toMatch(/sealed|key/)
    }
  })

  it.each(['', 'k1', 'k1.00000000.', 'plain text', 'k1.zzzzzzzz.AAAA', 'k2.00000000.AAAA'])(
    'refuses %j as something it never sealed',
    (text) => {
      expect(codeOf(() => vaultOf(first).open(text, header))).toBe('sealed_invalid')
    },
  )

  it('opens with any of its keys and seals with the first, so that keys can be rotated', () => {
    const sealed = vaultOf(first).seal('text', header)
    const rotated = vaultOf(second, first)
    expect(rotated.open(sealed, header)).toBe('text')
    expect(vaultOf(second).open(rotated.seal('new', header), header)).toBe('new')
  })

  it('says by name which key is missing', () => {
    const sealed = vaultOf(first).seal('text', header)
    const name = sealed.split('.')[1]!
    expect(codeOf(() => vaultOf(second).open(sealed, header))).toBe('key_unknown')
    expect(() => vaultOf(second).open(sealed, header)).toThrow(name)
  })
})

describe('a fingerprint', () => {
  it('matches its text in its context, and nothing else', () => {
    const vault = vaultOf(first)
    const mark = vault.fingerprint('text', header)
    expect(vault.isFingerprint(mark, 'text', header)).toBe(true)
    expect(vault.isFingerprint(mark, 'texts', header)).toBe(false)
    expect(vault.isFingerprint(mark, 'text', { ...header, tenantId: 'ten_2' })).toBe(false)
    expect(vault.isFingerprint('', 'text', header)).toBe(false)
  })

  it('is known after the keys were rotated, and can not be made without the key', () => {
    const mark = vaultOf(first).fingerprint('text', header)
    expect(vaultOf(second, first).isFingerprint(mark, 'text', header)).toBe(true)
    expect(vaultOf(second).isFingerprint(mark, 'text', header)).toBe(false)
    expect(vaultOf(second).fingerprint('text', header)).not.toBe(mark)
  })
})

describe('keys to seal with', () => {
  it.each(['', ' , ', ','])('are missing in %j', (text) => {
    expect(codeOf(() => parseSealingKeys(text, 'X'))).toBe('key_missing')
  })

  it.each(['short', 'A'.repeat(42), `${'A'.repeat(43)}==`, 'A'.repeat(64), '%'.repeat(44)])(
    'are refused without being repeated: %s',
    (text) => {
      expect(codeOf(() => parseSealingKeys(text, 'KRON_SECRET_KEY'))).toBe('key_invalid')
      expect(() => parseSealingKeys(text, 'KRON_SECRET_KEY')).not.toThrow(text)
    },
  )
})
