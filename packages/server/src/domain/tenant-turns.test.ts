import { expect, it } from 'vitest'
import { TenantTurns } from './tenant-turns.js'

it('gives each tenant turns of its own, and forgets those that have nothing to do', async () => {
  const turns = new TenantTurns(1, 1)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const ofOne = [turns.pass('one', () => end), turns.pass('one', () => end)]
  expect(turns.pass('one', () => end)).toBeNull()
  const ofOther = turns.pass('other', async () => 'done')
  expect(await ofOther).toBe('done')
  expect(turns.size).toBe(1)
  resolve()
  await Promise.all(ofOne)
  expect(turns.size).toBe(0)
})

it('keeps the turns of a tenant as long as one of its works goes on', async () => {
  const turns = new TenantTurns(2, 0)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const long = turns.pass('one', () => end)
  await turns.pass('one', async () => undefined)
  expect(turns.size).toBe(1)
  const second = turns.pass('one', () => end)
  expect(turns.pass('one', async () => 'slipped in')).toBeNull()
  resolve()
  await Promise.all([long, second])
  expect(turns.size).toBe(0)
})
