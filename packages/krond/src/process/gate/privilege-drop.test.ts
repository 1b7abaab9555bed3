import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExecutionError } from '@kron/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  daemon,
  games,
  nobody,
  runToEnd,
  sampleStart,
} from '../../../testing/process/sample-start.js'
import { selfOf } from '../accounts/system-accounts.js'
import type { Account } from '../processes.js'
import { systemProcesses } from '../system-processes.js'
import { otherGroups, privilegeDrop } from './privilege-drop.js'

const self = selfOf()
const isRoot = self.uid === 0
if (!isRoot) console.warn('jobs of other users are not tested: only root can start them')

const folder = mkdtempSync(join(tmpdir(), 'kron-drop-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the way to an account', () => {
  const root = { uid: 0, gid: 0, groups: [0] }
  const user = { uid: 1000, gid: 1000, groups: [1000, 27] }

  it('is none for a job without one, and for the own one of who is not root', () => {
    expect(privilegeDrop(null, root)).toEqual({ kind: 'none' })
    const own: Account = { ...user, name: 'me', home: '/', groups: [27] }
    expect(privilegeDrop(own, user)).toEqual({ kind: 'none' })
    expect(privilegeDrop({ ...own, groups: [] }, user)).toMatchObject({ kind: 'spawn' })
  })

  it('is never none for another user or group, nor for root', () => {
    const own: Account = { ...user, name: 'me', home: '/' }
    const setpriv = { kind: 'setpriv' }
    expect(privilegeDrop({ ...own, uid: 1001 }, user)).toMatchObject(setpriv)
    expect(privilegeDrop({ ...own, gid: 27, groups: [27] }, user)).toMatchObject({ kind: 'spawn' })
    expect(privilegeDrop({ ...own, gid: 1001, groups: [27] }, user)).toMatchObject(setpriv)
    expect(privilegeDrop({ ...own, groups: [28] }, user)).toMatchObject(setpriv)
    const ofRoot: Account = { ...root, name: 'root', home: '/root' }
    expect(privilegeDrop(ofRoot, root)).toEqual({ kind: 'spawn', uid: 0, gid: 0 })
  })

  it('is that of spawn without supplementary groups, and setpriv with them', () => {
    expect(privilegeDrop(nobody, root)).toEqual({ kind: 'spawn', uid: 65_534, gid: 65_534 })
    expect(privilegeDrop(games, root)).toEqual({ kind: 'spawn', uid: 5, gid: 60 })
    expect(privilegeDrop(daemon, root)).toEqual({
      kind: 'setpriv',
      options: ['--reuid=1', '--regid=1', '--groups=1,4,20', '--'],
    })
  })

  it('counts each supplementary group once and in order', () => {
    expect(otherGroups({ gid: 7, groups: [100, 20, 7, 20, 3] })).toEqual([3, 20, 100])
  })
})

const identity = ['grep', '-E', '^(Uid|Gid|Groups|CapEff):', '/proc/self/status'] as const
const words = (line: string): string[] => line.split(/\s+/).filter(Boolean)

describe.runIf(isRoot)('a job of another user', () => {
  const processes = systemProcesses()

  it.each([
    [nobody, []],
    [games, []],
    [daemon, ['1', '4', '20']],
  ] as const)('is $name in all its ids and groups', async (account, groups) => {
    const { stdout, exit } = await runToEnd(processes, sampleStart(identity, { account }))
    const { uid, gid } = account
    expect(stdout.map(words)).toEqual([
      ['Uid:', ...Array(4).fill(`${uid}`)],
      ['Gid:', ...Array(4).fill(`${gid}`)],
      ['Groups:', ...groups],
      ['CapEff:', '0000000000000000'],
    ])
    expect(exit).toEqual({ code: 0, signal: null })
  })

  it('keeps root as its user when only a group is given, with no other group', async () => {
    const account: Account = { name: 'root', uid: 0, gid: 4, groups: [], home: '/root' }
    const { stdout } = await runToEnd(processes, sampleStart(identity, { account }))
    expect(stdout.map(words).slice(0, 3)).toEqual([
      ['Uid:', '0', '0', '0', '0'],
      ['Gid:', '4', '4', '4', '4'],
      ['Groups:'],
    ])
  })

  it.each([nobody, daemon])('has the environment of $name', async (account) => {
    const script = 'printf "%s\\n" "$HOME" "$USER" "$LOGNAME" "$PWD"; env | wc -l'
    const start = sampleStart(['/bin/sh', '-c', script], { account, cwd: null })
    const { stdout } = await runToEnd(processes, start)
    const cwd = existsSync(account.home) ? account.home : '/'
    // HOME LOGNAME USER SHELL PATH KRON_IDENTITY KRON_NAME and PWD.
    expect(stdout).toEqual([account.home, account.name, account.name, cwd, '8'])
  })

  it('gets its variables as they are through setpriv too', async () => {
    const out = join(folder, 'variables')
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom('\n', ' ', '\\', '$(id)', '"', "'", '\r', 'é', '\u0081'))
        .map((t) => t.join('')),
    )
    await fc.assert(
      fc.asyncProperty(value, value, async (first, second) => {
        const [a, b] = [first, second].map((t) => Buffer.from(t.replaceAll('\0', '')).toString())
        const script = 'printf "%s\\0%s" "$FIRST" "$SECOND"'
        const start = sampleStart(['/bin/sh', '-c', script], {
          account: daemon,
          env: { FIRST: a!, SECOND: b! },
          stdout: { kind: 'file', path: out },
        })
        expect((await runToEnd(processes, start)).exit).toEqual({ code: 0, signal: null })
        expect(readFileSync(out, 'utf8')).toBe(`${a}\0${b}`)
        rmSync(out)
      }),
      { numRuns: 30, seed: 3 },
    )
  })

  it('can not have its variables work on the program that drops privileges', async () => {
    const setprivPath = join(folder, 'seen-by-setpriv')
    const seen = join(folder, 'environment')
    writeFileSync(setprivPath, `#!/bin/sh\nenv >${seen}\nexec setpriv "$@"\n`, { mode: 0o755 })
    const env = { LD_PRELOAD: '/no/such/library.so', PATH: '/home/games:/bin:/usr/bin' }
    const start = sampleStart(['env'], { account: daemon, env, stderr: { kind: 'discard' } })
    const { stdout } = await runToEnd(systemProcesses({ setprivPath }), start)
    expect(stdout).toContain('LD_PRELOAD=/no/such/library.so')
    expect(readFileSync(seen, 'utf8')).not.toMatch(/LD_PRELOAD|games|KRON/)
  })

  it('enters its folder and finds its command with the rights of that user', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const command = join(folder, 'only-root')
    writeFileSync(command, '#!/bin/sh\n', { mode: 0o700 })
    for (const account of [nobody, daemon]) {
      const entering = processes.prepare(sampleStart(['/bin/true'], { account, cwd: closed }))
      await expect(entering).rejects.toThrow("is not a folder that the job's user may enter")
      const executing = processes.prepare(sampleStart([command], { account }))
      await expect(executing).rejects.toThrow("is not a file that the job's user may execute")
    }
  })
})

describe.runIf(isRoot)('a drop of privileges that does not work', () => {
  function fakeSetpriv(name: string, text: string): string {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return path
  }
  const shift = 'shift 4'
  const real = 'exec setpriv'

  it.each([
    ['changes nothing', `${shift}; exec "$@"`, /user id must become 1, got 0 0 0 0/],
    [
      'leaves the group',
      `${shift}; ${real} --reuid=1 --groups=4,20 "$@"`,
      /group id must become 1/,
    ],
    [
      'leaves a group of root',
      `${shift}; ${real} --reuid=1 --regid=1 --groups=0,4,20 "$@"`,
      /supplementary groups must become 1 4 20, got 0 4 20/,
    ],
    [
      'forgets a group',
      `${shift}; ${real} --reuid=1 --regid=1 --groups=4 "$@"`,
      /groups must become/,
    ],
    ['keeps a saved id', `${shift}; ${real} --euid=1 --regid=1 --groups=4,20 "$@"`, /user id must/],
    ['fails', 'echo no way >&2; exit 1', /can't become user daemon: exit code 1, no way/],
  ])('runs nothing when it %s', async (name, text, message) => {
    const marker = join(folder, 'marker')
    const setprivPath = fakeSetpriv(name.replaceAll(' ', '-'), text)
    const start = sampleStart(['touch', marker], { account: daemon })
    const prepared = systemProcesses({ setprivPath }).prepare(start)
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow(message)
    expect(existsSync(marker)).toBe(false)
  })

  it('runs nothing when setpriv is missing', async () => {
    const start = sampleStart(['/bin/true'], { account: daemon })
    const prepared = systemProcesses({ setprivPath: '/no/such/setpriv' }).prepare(start)
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toThrow("can't become user daemon with /no/such/setpriv: ENOENT")
  })
})
