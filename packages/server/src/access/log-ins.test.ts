import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyWorld } from '../../testing/access/key-world.js'
import { instantText } from '../domain/index.js'
import { newKeyText } from './key-text.js'
import { LogIns, LogOuts } from './log-ins.js'
import { newSession } from './session-token.js'

let world: KeyWorld
let logIns: LogIns
beforeEach(async () => {
  world = await KeyWorld.open()
  logIns = new LogIns(world.store, world.log)
})
afterEach(() => world.close())

const from = '203.0.113.9'

describe('a session', () => {
  it('is in the audit log of its tenant when it begins and when it ends', async () => {
    const { id } = await world.key()
    const expiresAt = world.sample.now + 5000
    const session = newSession(world.tenantId, id, expiresAt)
    await logIns.begun(session, from)
    await new LogOuts(world.store).add(session)
    const by = { actor: `key:${id}`, subject: id, tenantId: world.tenantId, reason: null }
    const ending = { expiresAt: instantText(expiresAt) }
    expect(await world.audited()).toMatchObject([
      { ...by, action: 'session.create', before: null, after: { from, ...ending } },
      { ...by, action: 'session.end', before: ending, after: null },
    ])
    expect(world.logged).toEqual([])
  })

  it('has ended once it was ended, and no other has', async () => {
    const { id } = await world.key()
    const expiresAt = world.sample.now + 5000
    const [one, other] = [1, 2].map(() => newSession(world.tenantId, id, expiresAt))
    const logOuts = new LogOuts(world.store)
    await logOuts.add(one!)
    expect([await logOuts.has(one!), await logOuts.has(other!)]).toEqual([true, false])
  })
})

describe('a log-in that is refused', () => {
  it.each([
    ['a revoked key', { revokedAt: 5 }, 'revoked key'],
    ['an expired key', { expiresAt: 5 }, 'expired key'],
    ['a key that expires now', { expiresAt: 'now' }, 'expired key'],
    ['a key that expires later', { expiresAt: 'later' }, 'suspended tenant'],
    ['a key that never expires', {}, 'suspended tenant'],
  ] as const)('with %s is in the audit log of its tenant', async (_name, change, reason) => {
    const instants = { now: world.sample.now, later: world.sample.now + 1 }
    const given = 'expiresAt' in change ? change.expiresAt : null
    const expiresAt = typeof given === 'string' ? instants[given] : given
    const { id, text } = await world.key({ ...change, expiresAt })
    await logIns.refused(text, from)
    expect(world.logged).toMatchObject([
      { level: 'warn', event: 'log_in_refused', from, reason, key: id },
    ])
    const by = { actor: `key:${id}`, subject: id, tenantId: world.tenantId }
    expect(await world.audited()).toMatchObject([
      { ...by, action: 'session.refuse', before: null, after: { from }, reason },
    ])
  })

  it.each([
    ['what is no key', 'x', 'not a key', 0],
    ['a key of nobody', newKeyText().text, 'unknown key', 1],
  ])('with %s is in the log of the server only', async (_name, text, reason, asked) => {
    await logIns.refused(text, from)
    expect(world.logged).toMatchObject([{ event: 'log_in_refused', from, reason }])
    expect(world.logged[0]).not.toHaveProperty('key')
    expect(await world.audited()).toEqual([])
    expect(world.asked).toBe(asked)
  })
})
