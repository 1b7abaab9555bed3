import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError, type KronError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import type { Accounts } from '../process/index.js'
import { usableConfiguration } from './configuration.js'
import { readConfiguration } from './read-configuration.js'

const uid = process.getuid?.() ?? 0
const self = { uid, gid: 0, groups: [] }
const accounts: Accounts = {
  user: (name) => (name === 'ada' ? { name, uid: 1000, gid: 1000, home: '/home/ada' } : null),
  group: () => null,
  groupsOf: () => [],
}
const job = '0 3 * * * @policy(deadline=1h) name=a command=/bin/true'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-configuration-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode })
  chmodSync(path, mode)
  return path
}

const read = (krontabs: string[], crontabs: string[] = []) =>
  readConfiguration({ krontabs, crontabs }, { accounts, self, timezone: 'Europe/Paris' })

describe('the jobs of a host', () => {
  it('have all that their line says', () => {
    const line =
      `${job} cwd=/tmp env=A=1 env=B=2 umask=0027 timeout=5m ` +
      `stdout=discard stderr=file:/tmp/x description=x`
    const path = file('a.krontab', line)
    const { jobs, problems } = read([path])
    expect(problems).toEqual([])
    expect(jobs).toMatchObject([
      {
        identity: `${path}:a`,
        name: 'a',
        settings: {
          command: { kind: 'words', words: ['/bin/true'] },
          account: null,
          cwd: '/tmp',
          env: { A: '1', B: '2' },
          umask: 0o027,
          timeoutMs: 300_000,
          stdout: { kind: 'discard' },
          stderr: { kind: 'file' },
          stdin: null,
        },
      },
    ])
    expect(jobs[0]!.job.policy).toMatchObject({ deadline: 3_600_000, suspend: false })
  })

  it('are all in files of a folder that are named so, in order', () => {
    file('b.krontab', job)
    file('a.krontab', job)
    file('.hidden.krontab', job)
    file('notes.txt', 'nonsense')
    expect(read([folder]).jobs.map(({ identity }) => identity)).toEqual([
      join(folder, 'a.krontab:a'),
      join(folder, 'b.krontab:a'),
    ])
  })

  it('are none in an empty folder, which is said with a way to add one', () => {
    const { jobs, notices } = read([folder])
    expect(jobs).toEqual([])
    expect(notices).toEqual([
      `there is nothing to run: no job in ${folder}; to add one: krontab add "0 3 * * *" ` +
        `--name backup --command /usr/local/bin/backup --file ${folder}, then krond reload`,
    ])
    const crontab = file('crontab', '# nothing\n')
    expect(read([], [crontab]).notices).toEqual([
      `there is nothing to run: no job in ${crontab}; to add one: add a line, then krond reload`,
    ])
    file('a.krontab', job)
    expect(read([folder]).notices).toEqual([])
  })

  it('are there once, also if their file is named twice', () => {
    const path = file('a.krontab', job)
    expect(read([path, folder, path]).jobs).toHaveLength(1)
  })

  it('come from crontabs too, in the zone of the host', () => {
    const path = file('crontab', 'HOME=/tmp\n15 4 * * * /bin/echo hello%world\n')
    const { jobs, problems } = read([], [path])
    expect(problems).toEqual([])
    expect(jobs).toMatchObject([
      {
        settings: { stdin: 'world\n', env: { HOME: '/tmp' } },
        identity: expect.stringContaining(path),
      },
    ])
    expect(jobs[0]!.job.spec.timezone).toBe('Europe/Paris')
  })

  it('of a crontab whose lines all name a user are those of the user, wherever it lies', () => {
    const path = file('copied', '15 4 * * * ada /bin/true\n')
    const { jobs, problems } = read([], [path])
    const names = [
      ...jobs.map(({ name }) => name),
      ...problems.map(({ details }) => details['name']),
    ]
    expect(names).toEqual([expect.stringMatching(/^true-[0-9a-f]{8}$/)])
  })

  it('keep a umask of 0, which is not the same as none', () => {
    const path = file('a.krontab', `${job} umask=0\n`)
    expect(read([path]).jobs).toMatchObject([{ settings: { umask: 0 } }])
  })

  it("come with a notice of a CRON_TZ, which Debian's cron ignores", () => {
    const path = file('crontab', 'CRON_TZ=Asia/Tokyo\n15 4 * * * /bin/true\n')
    const { jobs, notices } = read([], [path])
    expect(jobs[0]!.job.spec.timezone).toBe('Asia/Tokyo')
    expect(notices).toEqual([expect.stringContaining(`${path}:1: krond follows CRON_TZ`)])
  })
})

describe('what is wrong', () => {
  it('is said with file, line and column, and the valid jobs remain', () => {
    const path = file('a.krontab', `${job}\n0 3 * * * name=b command=/bin/true colour=red\n`)
    const { jobs, problems } = read([path])
    expect(jobs.map(({ name }) => name)).toEqual(['a'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toBeInstanceOf(ConfigurationError)
    expect(problems[0]!.message).toMatch(new RegExp(`^${path}:2:36: .*colour`))
    expect(problems[0]!.details).toMatchObject({
      file: path,
      line: 2,
      column: 36,
      name: 'b',
      identity: `${path}:b`,
    })
  })

  it('may be a user that does not exist', () => {
    const path = file('a.krontab', `${job}\n0 3 * * * name=b command=/bin/true user=eve\n`)
    const { jobs, problems } = read([path])
    expect(jobs).toHaveLength(1)
    expect(problems).toMatchObject([
      {
        code: 'KRON_ACCOUNT_UNKNOWN',
        message: expect.stringContaining(`${path}:2: job b: user "eve"`),
        details: { name: 'b', identity: `${path}:b` },
      },
    ])
  })

  it.each([
    ['can be written by others', (path: string) => chmodSync(path, 0o666)],
    ['can be written by its group', (path: string) => chmodSync(path, 0o620)],
    [
      'is a symbolic link',
      (path: string) => {
        rmSync(path)
        symlinkSync(file('target', job), path)
      },
    ],
  ])('may be that a file %s: nothing of it is used', (_, spoil) => {
    const path = file('a.krontab', job)
    spoil(path)
    file('b.krontab', job)
    const { jobs, problems } = read([folder])
    expect(jobs.map(({ identity }) => identity)).toEqual([join(folder, 'b.krontab:a')])
    expect(problems).toMatchObject([{ code: 'KRON_FILE_UNTRUSTED' }])
    expect(problems[0]!.message).toContain(path)
  })

  it('may be that a path which was named is missing: that is an error at once', () => {
    expect(() => read([join(folder, 'missing.krontab')])).toThrow(/no such file or folder/)
  })

  it('may be that there is no folder yet: then it says what makes one', () => {
    const missing = join(folder, 'krond.d')
    expect(() => read([missing])).toThrow(
      `there is no folder "${missing}" with krontabs: krontab add creates the default folder`,
    )
  })
})

describe('a usable configuration', () => {
  const problem = (message: string): KronError =>
    new ConfigurationError('KRON_KRONTAB_SYNTAX', message, { field: 'file', line: 3 })
  const jobs = [sampleJob('0 * * * *')]

  it.each([
    ['all is valid', { jobs, problems: [] }, false, null],
    ['all is valid', { jobs, problems: [] }, true, null],
    ['some are invalid', { jobs, problems: [problem('x')] }, false, null],
    ['some are invalid', { jobs, problems: [problem('x')] }, true, 'x'],
    ['none is valid', { jobs: [], problems: [problem('x')] }, false, 'x'],
    ['two are invalid', { jobs, problems: [problem('x'), problem('y')] }, true, 'x (and 1 more)'],
    ['there is none', { jobs: [], problems: [] }, true, null],
  ])('is one in which %s (%j, strict: %s)', (_, configuration, strict, message) => {
    const use = () => usableConfiguration(configuration, { strict })
    if (message === null) expect(use()).toBe(configuration)
    else {
      expect(use).toThrow(ConfigurationError)
      expect(use).toThrow(expect.objectContaining({ message }))
    }
  })

  it('keeps the place of the first problem and the words of all', () => {
    const problems = [problem('x'), problem('y')]
    expect(() => usableConfiguration({ jobs: [], problems }, { strict: false })).toThrow(
      expect.objectContaining({
        code: 'KRON_KRONTAB_SYNTAX',
        details: expect.objectContaining({ line: 3, problems: ['x', 'y'] }),
      }),
    )
  })
})
