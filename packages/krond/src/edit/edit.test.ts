import { describe, expect, it } from 'vitest'
import { type MemoryRun, runInMemory } from '../../testing/command/memory-host.js'
import { parseKrontab } from '../krontab/index.js'
import { withoutLine } from './remove-command.js'

const own = '/home/ada/.config/krond/jobs.krontab'
const add = (args: string[], options: object = {}): MemoryRun =>
  runInMemory(['add', ...args], options)
const minimal = ['0 3 * * *', '--name', 'backup', '--command', '/bin/backup']

describe.each(['add', 'remove', 'import'])('krontab %s', (command) => {
  it('explains itself with examples', () => {
    const { stdout, exitCode } = runInMemory([command, '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Usage: krontab ${command}`)
    expect(stdout).toContain(`Examples:\n  krontab ${command}`)
    expect(stdout).toContain('--format')
  })
})

describe('krontab add', () => {
  it('makes the file of the user, and says when the job runs next', () => {
    const { exitCode, stdout, stderr, written } = add(minimal)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(written.get(own)).toBe('0 3 * * * name=backup command=/bin/backup\n')
    expect(stdout).toBe(
      `added backup to /home/ada/.config/krond/jobs.krontab, line 1 (a new file)\nnext run: 2026-03-01T03:00:00Z\n`,
    )
  })

  it('writes to the folder of the system as root, and to XDG_CONFIG_HOME', () => {
    expect([...add(minimal, { uid: 0 }).written.keys()]).toEqual(['/etc/krond.d/jobs.krontab'])
    const env = { XDG_CONFIG_HOME: '/xdg' }
    expect([...add(minimal, { env }).written.keys()]).toEqual(['/xdg/krond/jobs.krontab'])
  })

  it('adds a line to a file, or to the usual file of a folder', () => {
    const files = { '/home/ada/a.krontab': '# first\n@daily name=a command=/a\n' }
    const args = [...minimal, '--file', 'a.krontab']
    expect(add(args, { files }).written.get('/home/ada/a.krontab')).toBe(
      '# first\n@daily name=a command=/a\n0 3 * * * name=backup command=/bin/backup\n',
    )
    expect(add(args, { files }).stdout).toContain('added backup to a.krontab, line 3\n')
    const folder = add([...minimal, '--file', '.'], { files })
    expect([...folder.written.keys()]).toEqual(['/home/ada/jobs.krontab'])
  })

  it('gives the last line its end first, and keeps the ends of Windows', () => {
    const addTo = (text: string) =>
      add([...minimal, '-f', 'x'], { files: { '/home/ada/x': text } }).written.get('/home/ada/x')
    const line = '0 3 * * * name=backup command=/bin/backup'
    expect(addTo('# end')).toBe(`# end\n${line}\n`)
    expect(addTo('# a\r\n# b')).toBe(`# a\r\n# b\r\n${line}\r\n`)
  })

  it('takes all fields, and quotes what needs it', () => {
    const { written } = add([
      ...['0 3 * * * @tz(Europe/Paris)', '--name', 'a', '--command', 'echo "a  b" \\ $X'],
      ...['--shell', '--user', 'www', '--group', '80', '--cwd', '/srv/my files', '--umask', '0027'],
      ...['--env', 'A=b "c"', '--env', 'D=', '--timeout', '5m', '--stdout', 'discard'],
      ...['--stderr', 'syslog', '--description', 'all of it'],
    ])
    const { jobs, problems } = parseKrontab(written.get(own) ?? '', own)
    expect(problems).toEqual([])
    expect(jobs[0]).toMatchObject({
      name: 'a',
      command: { kind: 'shell', text: 'echo "a  b" \\ $X' },
      user: 'www',
      group: '80',
      cwd: '/srv/my files',
      umask: 0o27,
      env: { A: 'b "c"', D: '' },
      timeoutMs: 300_000,
      stdout: { kind: 'discard' },
      stderr: { kind: 'syslog' },
      description: 'all of it',
    })
  })

  it('says the next run however many periods without one come before', () => {
    const rare = '* * * * * @only(dow=MON;hours=9-17)'
    const args = [rare, '--name', 'rare', '--command', '/bin/rare']
    const tuesday = Date.parse('2026-03-03T18:00:00Z')
    expect(add(args, { now: tuesday }).stdout).toContain('next run: 2026-03-09T09:00:00Z\n')
  })

  it('says that the next run is now when it is', () => {
    const now = Date.parse('2026-03-01T03:00:00Z')
    expect(add(minimal, { now }).stdout).toContain('next run: 2026-03-01T03:00:00Z\n')
  })

  it('says the next run in the zone of the job', () => {
    const { stdout } = add(['0 3 * * * @tz(Europe/Paris) @win(after,2h)', ...minimal.slice(1)])
    expect(stdout).toMatch(
      /\nnext run: 2026-03-01T0[23]:\d\d:\d\dZ, Sun 03-01 0[34]:\d\d:\d\d \+01:00\n/,
    )
    const suspended = add(['0 3 * * * @policy(suspend=true)', ...minimal.slice(1)])
    expect(suspended.stdout).toContain('next run: none, it is suspended\n')
  })

  it('gives data to programs', () => {
    expect(JSON.parse(add([...minimal, '--format', 'json']).stdout)).toEqual({
      file: own,
      line: 1,
      created: true,
      name: 'backup',
      identity: `${own}:backup`,
      schedule: '0 3 * * *',
      nextRun: { nominal: '2026-03-01T03:00:00Z', chosen: '2026-03-01T03:00:00Z' },
    })
  })

  it.each<[string[], string]>([
    [['0 25 * * *', ...minimal.slice(1)], 'krontab: hour field has the value 25'],
    [['0 3 * * * user=root', ...minimal.slice(1)], 'krontab: the schedule has "user=root" in it'],
    [['# 0 3 * * *', ...minimal.slice(1)], 'krontab: the cron expression'],
    [[...minimal.slice(0, 2), 'Bad_Name', '--command', '/x'], 'nothing was added: name must be'],
    [[...minimal, '--user', 'a b'], 'nothing was added: user must be'],
    [[...minimal, '--env', 'X'], 'nothing was added: env must be'],
    [[...minimal, '--env', 'A=1', '--env', 'A=2'], 'nothing was added: env sets A a second time'],
    [[...minimal, '--description', 'a\nb'], 'description has a line break'],
    [[...minimal.slice(0, 4), ''], 'nothing was added: command must not be empty'],
    [[...minimal, '-f', 'a', '-f', 'b'], 'add writes to one --file'],
    [minimal.slice(0, 3), 'krontab: required option "--command <command>" not specified'],
  ])('refuses %j and writes nothing', (args, message) => {
    const { exitCode, stderr, written } = add(args)
    expect(stderr).toContain(message)
    expect({ exitCode, written: written.size }).toEqual({ exitCode: 1, written: 0 })
  })

  it('refuses a name that the file has already, also in a line with errors', () => {
    const files = { [own]: '0 1 * * * name=backup command=/x\n99 * * * * name=b command=/x\n' }
    const again = add(minimal, { files })
    expect(again).toMatchObject({ exitCode: 1, written: new Map() })
    expect(again.stderr).toContain('nothing was added: the name backup is already used on line 1')
    expect(add(['@daily', '--name', 'b', '--command', '/x'], { files }).exitCode).toBe(1)
    expect(add(['@daily', '--name', 'c', '--command', '/x'], { files }).exitCode).toBe(0)
  })

  it('refuses a file beyond its limit', () => {
    const files = { [own]: `${'#'.repeat(1_048_560)}\n` }
    const { exitCode, stderr } = add(minimal, { files })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('a krontab must have at most 1048576 bytes')
  })
})

describe('krontab remove', () => {
  const text = '\ufeff# é\r\n\n0 1 * * *   name=a command=/a # x\n@daily name=b command=/b'
  const files = {
    '/home/ada/one.krontab': text,
    '/home/ada/two.krontab': '@daily name=b command=/b\n99 * * * * name=broken command=/x\n',
  }
  const remove = (...args: string[]): MemoryRun => runInMemory(['remove', ...args], { files })

  it('takes out that line and leaves all else as it is', () => {
    const { exitCode, stdout, written } = remove('a', '-f', '.')
    expect(exitCode).toBe(0)
    expect(written.get('/home/ada/one.krontab')).toBe('\ufeff# é\r\n\n@daily name=b command=/b')
    expect(stdout).toBe(
      'removed a from one.krontab, line 3\nnext run would have been: 2026-03-01T01:00:00Z\n',
    )
  })

  it('takes out the last and the first line as well', () => {
    const { written } = remove('b', '-f', 'one.krontab')
    expect(written.get('/home/ada/one.krontab')).toBe(
      '\ufeff# é\r\n\n0 1 * * *   name=a command=/a # x\n',
    )
    expect(withoutLine('a\nb\nc\n', 1)).toBe('b\nc\n')
    expect(withoutLine('\ufeffa\nb\n', 1)).toBe('\ufeffb\n')
    expect(withoutLine('a', 1)).toBe('')
  })

  it('takes an identity, and a job with errors', () => {
    expect(remove('/home/ada/two.krontab:b', '-f', '.').exitCode).toBe(0)
    const { written, stdout } = remove('broken', '-f', '.')
    expect(written.get('/home/ada/two.krontab')).toBe('@daily name=b command=/b\n')
    expect(stdout).toBe('removed broken from two.krontab, line 2\n')
  })

  it('asks which one when several files have it', () => {
    const { exitCode, stderr, written } = remove('b', '-f', '.')
    expect({ exitCode, written: written.size }).toEqual({ exitCode: 1, written: 0 })
    expect(stderr).toBe(
      [
        'krontab: 2 files have a job "b"',
        'hint: say which one, with',
        '  --file one.krontab',
        '  --file two.krontab',
        '',
      ].join('\n'),
    )
  })

  it('proposes the nearest name', () => {
    const { exitCode, stderr } = remove('brokn', '-f', 'two.krontab')
    expect(exitCode).toBe(1)
    expect(stderr).toBe('krontab: no job "brokn" in two.krontab; did you mean broken?\n')
  })

  it('does not guess which of two lines is meant', () => {
    const twice = { '/home/ada/x': '@daily name=a command=/a\n@daily name=a command=/b\n' }
    const { exitCode, stderr } = runInMemory(['remove', 'a', '-f', 'x'], { files: twice })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('x has "a" on lines 1 and 2')
  })

  it('gives data to programs', () => {
    expect(JSON.parse(remove('a', '-f', '.', '--format', 'json').stdout)).toMatchObject({
      file: '/home/ada/one.krontab',
      line: 3,
      name: 'a',
      schedule: '0 1 * * *',
      nextRun: { chosen: '2026-03-01T01:00:00Z' },
    })
  })
})
