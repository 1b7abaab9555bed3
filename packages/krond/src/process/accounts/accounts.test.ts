import { spawnSync } from 'node:child_process'
import { ConfigurationError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { type Accounts, resolveAccount } from './accounts.js'
import { groupEntryOf, systemAccounts, userEntryOf } from './system-accounts.js'

const users = [
  { name: 'root', uid: 0, gid: 0, home: '/root' },
  { name: 'ada', uid: 1000, gid: 1000, home: '/home/ada' },
  { name: 'bob', uid: 1001, gid: 1001, home: '/home/bob' },
]
const groups = [
  { name: 'root', gid: 0 },
  { name: 'ada', gid: 1000 },
  { name: 'adm', gid: 4 },
  { name: 'www', gid: 33 },
]
const stub: Accounts = {
  user: (key) => users.find(({ name, uid }) => name === key || `${uid}` === key) ?? null,
  group: (key) => groups.find(({ name, gid }) => name === key || `${gid}` === key) ?? null,
  groupsOf: (name) => (name === 'ada' ? [1000, 33, 4, 33] : []),
}
const root = { uid: 0, gid: 0, groups: [0] }
const ada = { uid: 1000, gid: 1000, groups: [1000, 4] }

describe('an account, looked up by root', () => {
  it.each([
    [{}, null],
    [{ user: 'ada' }, { name: 'ada', uid: 1000, gid: 1000, groups: [4, 33, 1000] }],
    [{ user: '1000' }, { name: 'ada', uid: 1000, gid: 1000, groups: [4, 33, 1000] }],
    [
      { user: 'ada', group: 'www' },
      { name: 'ada', uid: 1000, gid: 33, groups: [4, 33, 1000] },
    ],
    [
      { user: 'bob', group: '4' },
      { name: 'bob', uid: 1001, gid: 4, groups: [] },
    ],
    [{ group: 'www' }, { name: 'root', uid: 0, gid: 33, groups: [], home: '/root' }],
    [{ user: 'root' }, { name: 'root', uid: 0, gid: 0, groups: [], home: '/root' }],
  ])('of %j is %j', (names, account) => {
    const found = resolveAccount(names, stub, root)
    if (account === null) expect(found).toBeNull()
    else expect(found).toMatchObject(account)
  })

  it.each([
    [{ user: 'eve' }, 'user "eve" does not exist on this machine', 'user'],
    [{ user: '4711' }, 'user "4711" does not exist on this machine', 'user'],
    [{ group: 'eves' }, 'group "eves" does not exist on this machine', 'group'],
    [{ user: 'ada', group: 'eves' }, 'group "eves" does not exist on this machine', 'group'],
  ])('of %j is unknown', (names, message, field) => {
    const resolve = () => resolveAccount(names, stub, root)
    expect(resolve).toThrow(ConfigurationError)
    expect(resolve).toThrow(message)
    expect(resolve).toThrow(expect.objectContaining({ code: 'KRON_ACCOUNT_UNKNOWN' }))
    expect(resolve).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    )
  })
})

describe('an account that is unknown', () => {
  it.each([
    ['user', { user: 'eve' }],
    ['group', { group: 'eve' }],
  ])('is reported with the %s, and what is allowed', (field, names) => {
    const details = { field, value: 'eve', allowed: `a ${field} that the system knows` }
    const resolve = () => resolveAccount(names, stub, root)
    expect(resolve).toThrow(expect.objectContaining({ details }))
  })
})

describe('an account, looked up by root, where root has groups', () => {
  const accounts: Accounts = { ...stub, groupsOf: () => [0, 4] }

  it('has those of the user that is given', () => {
    expect(resolveAccount({ user: 'root' }, accounts, root)).toEqual({
      name: 'root',
      uid: 0,
      gid: 0,
      groups: [0, 4],
      home: '/root',
    })
  })

  it('has none where only a group is given', () => {
    expect(resolveAccount({ group: 'www' }, accounts, root)).toEqual({
      name: 'root',
      uid: 0,
      gid: 33,
      groups: [],
      home: '/root',
    })
  })
})

describe('an account, looked up by another user', () => {
  it.each([{ user: 'ada' }, { group: 'ada' }, { user: '1000', group: '1000' }])(
    'of %j is the own one, with the groups it has',
    (names) => {
      const account = { name: 'ada', uid: 1000, gid: 1000, groups: [4, 1000], home: '/home/ada' }
      expect(resolveAccount(names, stub, ada)).toEqual(account)
    },
  )

  it.each([
    [
      { user: 'root' },
      'user must be the user of krond itself (1000), unless krond runs as root, got "root"',
    ],
    [{ user: 'bob' }, 'got "bob"'],
    [{ group: 'www' }, 'group must be the group of krond itself (1000)'],
    [{ user: 'ada', group: 'root' }, 'got "root"'],
    // One of its groups, but the system lets only root make it the first.
    [{ group: 'adm' }, 'got "adm"'],
  ])('of %j is refused', (names, message) => {
    const resolve = () => resolveAccount(names, stub, ada)
    expect(resolve).toThrow(ConfigurationError)
    expect(resolve).toThrow(message)
    expect(resolve).toThrow(expect.objectContaining({ code: 'KRON_ACCOUNT_UNKNOWN' }))
  })

  it.each([
    [{ user: 'bob' }, ada, 'user', 'bob', 1000],
    [{ user: 'ada', group: 'www' }, ada, 'group', 'www', 1000],
    // The own user, who has changed to another group.
    [{ user: 'ada' }, { ...ada, gid: 4 }, 'group', '1000', 4],
  ])('of %j by %j is refused for its %s', (names, self, field, value, own) => {
    const allowed = `the ${field} of krond itself (${own}), unless krond runs as root`
    expect(() => resolveAccount(names, stub, self)).toThrow(
      expect.objectContaining({
        message: `${field} must be ${allowed}, got "${value}"`,
        details: { field, value, allowed },
      }),
    )
  })

  it('may be one that has no entry', () => {
    const stranger = { uid: 77, gid: 33, groups: [] }
    expect(resolveAccount({ group: 'www' }, stub, stranger)).toMatchObject({
      ...{ name: '77', uid: 77, gid: 33, home: '/' },
    })
  })
})

describe('the accounts of the system', () => {
  const accounts = systemAccounts()

  it('are found by name and by number', () => {
    const expected = { name: 'root', uid: 0, gid: 0, home: '/root' }
    expect(accounts.user('root')).toEqual(expected)
    expect(accounts.user('0')).toEqual(expected)
    expect(accounts.group('root')).toEqual({ name: 'root', gid: 0 })
    expect(accounts.group('0')).toEqual({ name: 'root', gid: 0 })
    expect(accounts.groupsOf('root')).toContain(0)
  })

  it.each(['no-such-account', '4294967290', '', '--help', '-x', 'a:b', 'a\0b'])(
    'do not have %j, or can not be asked for it',
    (name) => {
      let found: unknown = null
      try {
        found = accounts.user(name) ?? accounts.group(name)
      } catch (error) {
        expect(error).toMatchObject({ category: 'SystemError', code: 'KRON_SYSTEM' })
      }
      expect(found).toBeNull()
    },
  )

  it('are null where there is none, however often they are asked for', () => {
    const fresh = systemAccounts()
    expect([fresh.user('no-such-account'), fresh.user('no-such-account')]).toEqual([null, null])
    expect(fresh.group('no-such-account')).toBeNull()
  })

  it.each(['root', 'nobody'])('have the groups of %s, and no other', (name) => {
    const { stdout } = spawnSync('id', ['-G', name], { encoding: 'utf8' })
    expect(`${systemAccounts().groupsOf(name).join(' ')}\n`).toBe(stdout)
  })

  const long = 'x'.repeat(200_000)
  it.each([
    ['id', 'no-such-account', '"no-such-account": exit code 1', undefined],
    ['getent', 'a\0b', '"a\\u0000b": ERR_INVALID_ARG_VALUE', expect.any(Error)],
    ['getent', long, ': E2BIG', expect.any(Error)],
  ])('have an error when %s fails', (program, value, message, cause) => {
    const fresh = systemAccounts()
    const look = () => (program === 'id' ? fresh.groupsOf(value) : fresh.user(value))
    expect(look).toThrow(SystemError)
    expect(look).toThrow(
      expect.objectContaining({
        code: 'KRON_SYSTEM',
        message: expect.stringContaining(message),
        details: { field: 'account', value, program },
        cause,
      }),
    )
  })

  it.each([
    [
      'ada:x:1000:100:Ada,,,:/home/ada:/bin/sh\n',
      { name: 'ada', uid: 1000, gid: 100, home: '/home/ada' },
    ],
    ['ada:x:1000:100:::\n', { name: 'ada', uid: 1000, gid: 100, home: '/' }],
    ['ada:x:1000:100::/home/ada\n', { name: 'ada', uid: 1000, gid: 100, home: '/home/ada' }],
    ['ada:x:-1:100::/:\n', null],
    ['ada:x:1000:-1::/:\n', null],
    ['ada:x:1000x:100::/:\n', null],
    ['ada:x:12345678901:100::/:\n', null],
    ['ada:x::100::/:\n', null],
    [':x:1:100::/:\n', null],
    ['', null],
    [null, null],
  ])('are read from lines such as %j', (line, entry) => {
    expect(userEntryOf(line)).toEqual(entry)
  })

  it('have groups that are read in the same way', () => {
    expect(groupEntryOf('adm:x:4:syslog,ada\n')).toEqual({ name: 'adm', gid: 4 })
    expect(groupEntryOf('adm:x:4\n')).toEqual({ name: 'adm', gid: 4 })
    for (const line of ['adm:x\n', ':x:4:\n', 'adm:x:x4:\n', '', null]) {
      expect(groupEntryOf(line)).toBeNull()
    }
  })
})
