import { expect, it } from 'vitest'
import { understood } from './serve-call.ts'

it('tells what kron serve makes of a call, and which variables it does not read', () => {
  const env = { KRON_DATABASE: 'postgres://a/b', KRON_DATABSE: 'x' }
  const { options, unread } = understood({ words: ['serve', '--role', 'worker'], env })
  expect(options).toMatchObject({ roles: ['worker'], database: 'postgres://a/b', port: null })
  expect(unread).toEqual(['KRON_DATABSE'])
})

it.each([
  [['serve', '--prot', '1'], "unknown option '--prot'"],
  [['serve', '--role', 'wroker'], '--role must be api, worker or planner'],
  [['serve', '--port', 'http'], '--port'],
  [['jobs'], 'no call of kron serve'],
])('refuses %j', (words, reason) => {
  expect(() => understood({ words, env: {} })).toThrow(reason)
})
