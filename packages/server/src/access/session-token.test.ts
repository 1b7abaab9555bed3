import { describe, expect, it } from 'vitest'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { newSession, openSession, sealSession } from './session-token.js'

const newVault = () => createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const vault = newVault()
const context = { purpose: 'session', tenantId: null } as const

describe('a session', () => {
  it('has an id and a token that nobody can guess', () => {
    const [one, other] = [newSession('ten_1', 'key_1', 5), newSession('ten_1', 'key_1', 5)]
    expect(one).toMatchObject({ tenantId: 'ten_1', keyId: 'key_1', expiresAt: 5 })
    expect(one.id).toMatch(/^[0-9a-z]{26}$/)
    expect(one.csrf).toMatch(/^[0-9a-z]{32}$/)
    expect(one.id).not.toBe(other.id)
    expect(one.csrf).not.toBe(other.csrf)
  })

  it('is in its cookie as it was made, and nobody reads it there', () => {
    const session = newSession('ten_1', 'key_1', 5)
    const cookie = sealSession(vault, session)
    expect(openSession(vault, cookie)).toEqual(session)
    for (const part of ['ten_1', 'key_1', session.id, session.csrf]) {
      expect(cookie).not.toContain(part)
    }
  })

  it.each([
    ['that was changed', `${sealSession(vault, newSession('ten_1', 'key_1', 5)).slice(0, -4)}AAAA`],
    ['of another server', sealSession(newVault(), newSession('ten_1', 'key_1', 5))],
    ['that was sealed for something else', vault.seal('[]', { ...context, purpose: 'cursor' })],
    ['from before sessions could be ended', vault.seal('["ten_1","key_1",5,"csrf"]', context)],
    ['that is empty', ''],
  ])('is none in a cookie %s', (_name, cookie) => {
    expect(openSession(vault, cookie)).toBeNull()
  })

  it('does not hide what is wrong with the server', () => {
    const broken = vault.seal('no JSON', context)
    expect(() => openSession(vault, broken)).toThrow(SyntaxError)
  })
})
