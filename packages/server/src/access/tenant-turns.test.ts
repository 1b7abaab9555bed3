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
