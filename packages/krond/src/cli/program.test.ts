import { dirname } from 'node:path'
import { exitCodeOf, reportFailure } from '@kron/command'
import { PersistenceError, SchedulingError, tzdataVersion } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { memoryHost, runInMemory, runOn } from '../../testing/command/memory-host.js'
import { defaultKrontabFolder } from '../command/folders.js'
import { sourcesOf } from '../start/start-settings.js'

const job = (name: string) => `0 3 * * * name=${name} command=/x\n`

describe('krontab', () => {
  it('prints its version and that of the time zones', () => {
    const { stdout, exitCode } = runInMemory(['--version'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^krontab \d+\.\d+\.\d+ \(tzdata /)
    expect(stdout).toContain(tzdataVersion)
  })

  it.each(['lint', 'explain', 'next', 'simulate'])('explains %s with examples', (command) => {
    const { stdout, exitCode } = runInMemory([command, '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Usage: krontab ${command}`)
    expect(stdout).toContain(`Examples:\n  krontab ${command}`)
    for (const option of ['--file', '--format', '--no-color']) expect(stdout).toContain(option)
  })

  it('shows its help when it is asked nothing', () => {
    const { stdout, exitCode } = runInMemory([])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Usage: krontab')
    expect(stdout).toContain('Exit codes: 0 success')
    expect(runInMemory(['--help']).exitCode).toBe(0)
  })

  it.each<[string[], string]>([
    [['nxt'], 'krontab: unknown command "nxt"; did you mean next?\nhint: krontab --help'],
    [['next'], 'krontab: missing required argument "job"\nhint: krontab next --help'],
    [['next', '@daily', '--frm', 'x'], 'krontab: unknown option "--frm"; did you mean --from?'],
    [['next', '@daily', 'x'], 'krontab: too many arguments for'],
    [['next', '@daily', '--limit'], 'krontab: option "-n, --limit <number>" argument missing'],
    [['next', '@daily', '--format', 'xml'], 'krontab: --format must be text or json, got "xml"'],
    [['next', 'a', '--identity', 'x'], 'krontab: --identity goes with a schedule text'],
    [['next', '@daily', '--identity', ''], 'krontab: identity must be text that is not empty'],
    [['explain', '@daily', '--at', 'x'], 'krontab: --at must be an RFC 3339 time'],
  ])('refuses %j in one line with a hint', (args, message) => {
    const { exitCode, stderr, stdout } = runInMemory(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  it.each([
    [['-l'], '-l', /^hint: cat \/home\/ada\/\.config\/krond\/\*\.krontab shows.*krond status/m],
    [['-e'], '-e', /^hint: edit .*krontab add; then krontab lint .* krond reload/m],
    [['-r'], '-r', /^hint: krontab remove <job>/m],
    [['-ir'], '-r', /^hint: krontab remove <job>/m],
    [['-u', 'eve', '-l'], '-l', /\nhint: cat .*\nhint: the jobs of another user: run krontab as/],
    [['-u', 'eve'], '-u', /^hint: the jobs of another user/m],
  ])('tells those who know crontab what to do instead of %j', (args, option, hint) => {
    const { exitCode, stdout, stderr } = runInMemory(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    const start = `krontab: krontab has no ${option}: its jobs are in plain files, in `
    expect(stderr).toContain(`${start}/home/ada/.config/krond\n`)
    expect(stderr).toMatch(hint)
    expect(runInMemory(args, { uid: 0 }).stderr).toContain(`${start}/etc/krond.d\n`)
  })

  describe('with a path of hundreds of characters', () => {
    const folder = `/srv/${'a-long-name/'.repeat(20)}jobs`
    const krontab = `${folder}/night.krontab`
    it.each([
      [['lint', `${folder}/none.krontab`], `${folder}/none.krontab`],
      [['import', `${folder}/crontab`], `${folder}/crontab`],
      [['import', `${folder}/mine`, '--out', krontab], krontab],
      [['import', '--systemd', `${folder}/x.timer`], `${folder}/x.timer`],
      [['next', `${krontab}:nobody`, '--file', krontab], `${krontab}:nobody`],
      [['remove', `${krontab}:nobody`, '--file', krontab], `${krontab}:nobody`],
    ])('shows all of it: %j', (args, path) => {
      const files = { [krontab]: job('a'), [`${folder}/mine`]: '0 5 * * * x\n' }
      const { exitCode, stderr } = runInMemory(args, { files })
      expect(exitCode).toBe(1)
      expect(stderr).toContain(`"${path}"`)
    })
  })

  it('shows where a schedule is wrong', () => {
    expect(runInMemory(['next', '0 3 * * * @win(after,2x)'])).toMatchObject({
      exitCode: 1,
      stderr: [
        'krontab: @win.duration must be a duration such as 1h30m, 45s or 500ms, got "2x": ' +
          'unknown unit, use ns, us, ms, s, m or h',
        '  0 3 * * * @win(after,2x)',
        '                        ^',
        '',
      ].join('\n'),
    })
  })
})

describe('the krontabs that a command reads', () => {
  const named = (files: Record<string, string>, options: object = {}, ...args: string[]) =>
    runInMemory(['lint', ...args, '--format', 'text'], { files, ...options })

  it('are those of the system for root, and their own for everybody else', () => {
    const system = { '/etc/krond.d/s.krontab': job('s') }
    const own = { '/home/ada/.config/krond/a.krontab': `${job('a')}${job('b')}` }
    const xdg = { '/xdg/krond/a.krontab': `${job('a')}${job('b')}${job('c')}` }
    const all = { ...system, ...own, ...xdg }
    expect(named(all).stdout).toContain('1 file, 2 jobs,')
    expect(named(all, { uid: 0 }).stdout).toContain('1 file, 1 job,')
    const env = { XDG_CONFIG_HOME: '/xdg' }
    expect(named(all, { env }).stdout).toContain('1 file, 3 jobs,')
    expect(named(all, { env, uid: 0 }).stdout).toContain('1 file, 1 job,')
    const relative = { env: { XDG_CONFIG_HOME: 'xdg' } }
    expect(named(all, relative).stdout).toContain('1 file, 2 jobs,')
  })

  it('are the same for all commands of both programs', () => {
    for (const uid of [0, 1000]) {
      const host = { uid, home: '/home/ada', env: {} }
      const folder = defaultKrontabFolder(host)
      const files = {
        '/etc/krond.d/s.krontab': job('there'),
        '/home/ada/.config/krond/a.krontab': job('there'),
      }
      const run = (...args: string[]) => runInMemory(args, { files, uid })
      const [added] = run('add', '@daily', '--name', 'x', '--command', '/x').written.keys()
      const [removed] = run('remove', 'there').written.keys()
      const { identity } = JSON.parse(run('next', 'there', '--format', 'json').stdout)
      const { krontabs } = sourcesOf({}, { ...host, absolute: (path) => path })
      expect([added, removed, identity].map((path) => dirname(path))).toEqual([
        folder,
        folder,
        folder,
      ])
      expect(krontabs).toEqual([folder])
    }
  })

  it('are asked for when there are none', () => {
    expect(named({ '/etc/krond.d/s.krontab': job('s') })).toMatchObject({
      exitCode: 1,
      stderr:
        'krontab: no krontabs: the folder /home/ada/.config/krond does not exist\n' +
        'hint: name a file or folder with --file; krontab add creates the folder\n' +
        'hint: the krontabs of the system are in /etc/krond.d\n',
    })
    expect(named({}, { uid: 0 }).stderr).toBe(
      'krontab: no krontabs: the folder /etc/krond.d does not exist\n' +
        'hint: name a file or folder with --file; krontab add creates the folder\n',
    )
    expect(named({ '/d/a.txt': job('a') }, {}, '--file', '/d').stderr).toBe(
      'krontab: no .krontab files in /d\n' +
        'hint: name a file or folder with --file; in folders, files that end in .krontab are read\n',
    )
  })
})

describe('a job by its name', () => {
  const files = {
    '/home/ada/a.krontab': `${job('backup')}${job('report')}`,
    '/home/ada/b.krontab': `${job('backup')}0 99 * * * name=broken command=/x\n`,
  }
  const next = (...args: string[]) => runInMemory(['next', ...args], { files })

  it('is found in a file or by its identity', () => {
    expect(next('report', '-f', '.').stdout).toMatch(/^report {2}0 3 \* \* \*\n/)
    const whole = next('/home/ada/b.krontab:backup', '-f', '.', '--format', 'json')
    expect(JSON.parse(whole.stdout)).toMatchObject({
      job: 'backup',
      identity: '/home/ada/b.krontab:backup',
    })
  })

  it('has an identity that does not depend on how its file was named', () => {
    const identity = (path: string) =>
      JSON.parse(next('report', '-f', path, '--format', 'json').stdout).identity
    expect(identity('a.krontab')).toBe('/home/ada/a.krontab:report')
    expect(identity('../ada/./a.krontab')).toBe('/home/ada/a.krontab:report')
  })

  it('must be the only one', () => {
    const { exitCode, stderr } = next('backup', '-f', '.')
    expect(exitCode).toBe(1)
    expect(stderr).toContain(
      'krontab: 2 jobs have the name "backup"\nhint: use one of\n  /home/ada/a.krontab:backup\n',
    )
  })

  it('must exist, and the nearest is proposed', () => {
    const { exitCode, stderr } = next('reprt', '-f', 'a.krontab')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('krontab: no job "reprt" in a.krontab; did you mean report?\n')
  })

  it('is refused with its errors when its line has some', () => {
    const { exitCode, stderr } = next('broken', '-f', 'b.krontab')
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      [
        'krontab: the job broken has errors',
        'b.krontab:2:3: error: hour field has the value 99, outside of 0-23 [KRON_CRON_INVALID]',
        '  0 99 * * * name=broken command=/x',
        '    ^~',
        '',
      ].join('\n'),
    )
  })

  it('is answered when other lines have errors, which are mentioned', () => {
    const { exitCode, stderr } = next('backup', '-f', 'b.krontab')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('krontab: 1 error in these files')
  })
})

describe('exit codes', () => {
  it('tell state and bugs from input and configuration', () => {
    expect(exitCodeOf(new PersistenceError('KRON_PERSISTENCE', 'x', { field: 'state' }))).toBe(3)
    expect(exitCodeOf(new SchedulingError('KRON_INVARIANT', 'x', { field: 'job' }))).toBe(4)
    expect(exitCodeOf(new TypeError('x'))).toBe(4)
  })

  it('are 4, without a stack, when the program itself fails', () => {
    const host = memoryHost({ now: 0 })
    const broken = {
      ...host,
      clock: {
        now: () => {
          throw new TypeError('no clock')
        },
      },
    }
    expect(runOn(['next', '@daily'], broken)).toBe(4)
    expect(host.output.stderr).toBe(
      'krontab: internal error: no clock\nhint: this is a bug, please report it\n',
    )
    expect(reportFailure('text', host, 'krontab')).toBe(4)
  })
})
