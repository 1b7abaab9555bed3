import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { krontabLimits } from './lines.js'
import { parseKrontab } from './parse-krontab.js'

const path = '/etc/krond.d/a.krontab'

/** `line:column+length code` of each problem. */
const problemsOf = (text: string): string[] =>
  parseKrontab(text, path).problems.map(
    ({ line, column, length, code }) => `${line}:${column}+${length} ${code}`,
  )

const messagesOf = (text: string): string[] =>
  parseKrontab(text, path).problems.map(({ message }) => message)

describe('a krontab', () => {
  it('has a job on each line that is not blank and no comment', () => {
    const file = parseKrontab(
      [
        '# nightly',
        '',
        '  \t',
        '0 3 * * * @tz(Europe/Paris) @win(after,2h) name=backup/db command=/bin/backup',
        '   # indented comment',
        '@daily name=prune command="/bin/backup prune" # with a remark',
      ].join('\n'),
      path,
    )
    expect(file.problems).toEqual([])
    expect(file.jobs.map(({ name }) => name)).toEqual(['backup/db', 'prune'])
    const [backup, prune] = file.jobs
    expect(backup?.identity).toBe('/etc/krond.d/a.krontab:backup/db')
    expect(backup?.job.identity).toBe(backup?.identity)
    expect(backup?.job.spec.timezone).toBe('Europe/Paris')
    expect(backup?.schedulePlace).toMatchObject({ line: 4, column: 1, length: 42 })
    expect(prune?.command).toEqual({ kind: 'words', words: ['/bin/backup', 'prune'] })
  })

  it('has all fields of a job', () => {
    const [job] = parseKrontab(
      '0 3 * * * name=a command="run $X" user=www group=80 cwd=/srv env=A=1 env=B="x y" env=C= ' +
        'shell=true umask=0027 timeout=1h30m stdout=file:/var/log/a.log stderr=syslog ' +
        'description="all of it"',
      path,
    ).jobs
    expect(job).toMatchObject({
      name: 'a',
      command: { kind: 'shell', text: 'run $X' },
      user: 'www',
      group: '80',
      cwd: '/srv',
      env: { A: '1', B: 'x y', C: '' },
      shell: true,
      umask: 0o27,
      timeoutMs: 5_400_000,
      stdout: { kind: 'file', path: '/var/log/a.log' },
      stderr: { kind: 'syslog' },
      description: 'all of it',
    })
  })

  it('leaves out what was not given, and inherits the output', () => {
    const [job] = parseKrontab('0 3 * * * name=a command=/x', path).jobs
    expect(job).toMatchObject({ shell: false, env: {}, stdout: { kind: 'inherit' } })
    expect(job).not.toHaveProperty('user')
    expect(job).not.toHaveProperty('timeoutMs')
  })

  it('may have a byte order mark and the line ends of Windows', () => {
    const file = parseKrontab('\ufeff# x\r\n0 3 * * * name=a command=/x\r\n', path)
    expect(file.problems).toEqual([])
    expect(file.jobs).toHaveLength(1)
  })

  it.each([
    ['99 3 * * * name=a command=/x', '1:1+2 KRON_CRON_INVALID'],
    ['  0 3 * * 8 name=a command=/x', '1:11+1 KRON_CRON_INVALID'],
    ['0 3 * * * @tz(Nowhere/X) name=a command=/x', '1:15+9 KRON_ZONE_UNKNOWN'],
    ['0 3 * * * @win(after,2x) name=a command=/x', '1:23+1 KRON_DURATION_INVALID'],
    ['0 3 * * * @win(after,25h) name=a command=/x', '1:11+15 KRON_WINDOW_OVERLAP'],
    ['0 0 31 2 * name=a command=/x', '1:1+10 KRON_CRON_NEVER'],
    ['0 3 * * * name=A command=/x', '1:16+1 KRON_NAME_INVALID'],
    ['0 3 * * * name=ab_c command=/x', '1:18+1 KRON_NAME_INVALID'],
    ['0 3 * * * name= command=/x', '1:11+4 KRON_NAME_INVALID'],
    ['0 3 * * * name=a command=', '1:18+7 KRON_FIELD_INVALID'],
    ['0 3 * * * command=/x', '1:21+1 KRON_FIELD_MISSING'],
    ['0 3 * * * name=a', '1:17+1 KRON_FIELD_MISSING'],
    ['0 3 * * * name=a command=/x colour=red', '1:29+6 KRON_FIELD_UNKNOWN'],
    ['0 3 * * * name=a command=/x name=b', '1:29+4 KRON_FIELD_REPEATED'],
    ['0 3 * * * name=a command=/x env=A=1 env=A=2', '1:41+1 KRON_FIELD_REPEATED'],
    ['0 3 * * * name=a command=/x env=1A=1', '1:33+4 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x shell=yes', '1:35+3 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x umask=0099', '1:35+4 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x umask=1777', '1:35+4 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x timeout=5', '1:38+1 KRON_DURATION_INVALID'],
    ['0 3 * * * name=a command=/x timeout=0s', '1:37+2 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x timeout=9000h', '1:37+5 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x stdout=file:log', '1:36+8 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x stderr=null', '1:36+4 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x cwd=srv', '1:33+3 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x user="a b"', '1:34+5 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command=/x group=-x', '1:35+2 KRON_FIELD_INVALID'],
    ['0 3 * * * name=a command="echo \'x"', '1:32+1 KRON_KRONTAB_SYNTAX'],
    ['0 3 * * * name=a command="/x y', '1:26+5 KRON_KRONTAB_SYNTAX'],
    ['0 3 * * * name=a command=/x y', '1:29+1 KRON_KRONTAB_SYNTAX'],
    ['0 3 * * * /bin/x name=a command=/x', '1:11+6 KRON_CRON_INVALID'],
    ['0 3 * * * name=a command=/x\u0007', '1:28+1 KRON_KRONTAB_SYNTAX'],
    ['nonsense', '1:9+1 KRON_CRON_INVALID'],
  ])('with %j says where the problem is', (line, problem) => {
    expect(problemsOf(line)).toEqual([problem])
  })

  it('says all that is wrong, in the order of the text', () => {
    const text = [
      '# two lines with problems',
      '99 3 * * * nme=x command=/x timeout=x',
      '0 3 * * * name=ok command=/x',
      '0 3 * * * name=ok command=/x user=',
    ].join('\n')
    expect(problemsOf(text)).toEqual([
      '2:1+2 KRON_CRON_INVALID',
      '2:12+3 KRON_FIELD_UNKNOWN',
      '2:37+1 KRON_DURATION_INVALID',
      '4:16+2 KRON_NAME_REPEATED',
      '4:30+4 KRON_FIELD_INVALID',
    ])
    expect(parseKrontab(text, path).jobs.map(({ name }) => name)).toEqual(['ok'])
  })

  it('has one problem, not three, when a modifier swallows the fields', () => {
    expect(problemsOf('0 3 * * * @win(after,2h name=a command=/x')).toHaveLength(1)
  })

  it('proposes the nearest field', () => {
    expect(messagesOf('0 3 * * * nam=a comand=/x')).toEqual([
      'unknown field nam; did you mean name?',
      'unknown field comand; did you mean command?',
    ])
    expect(messagesOf('0 3 * * * name=a command=/x zzzzzz=1')[0]).toMatch(/known are name, user/)
  })

  it('tells people with crontabs in their fingers where the command goes', () => {
    expect(messagesOf('0 3 * * * /bin/backup')).toEqual([
      'the cron expression must have exactly 5 fields, got 6; ' +
        'what runs is given after it as command=...',
    ])
  })

  it.each([
    ['0 0 3 * * MON-FRI name=a command=/x', 'the first field is the minute, there is none for'],
    ['@reboot name=a command=/x', 'what is to run when the machine starts is for its init system'],
    ['@every 5m name=a command=/x', '"*/5 * * * *" is every five minutes'],
  ])('tells people who know other programs what to do instead of %s', (line, words) => {
    expect(messagesOf(line)).toEqual([expect.stringContaining(`; ${words}`)])
  })

  it('names the line that has a name already, also one with problems', () => {
    const text = '99 * * * * name=a command=/x\n0 3 * * * name=a command=/x'
    const third = '0 4 * * * name=a command=/x'
    expect(messagesOf(`${text}\n${third}`).slice(1)).toEqual([
      'the name a is already used on line 1',
      'the name a is already used on line 1',
    ])
    expect(parseKrontab(text, path).broken).toEqual([
      { name: 'a', line: 1 },
      { name: 'a', line: 2 },
    ])
  })

  it('refuses an identity that is too long at its name', () => {
    const name = 'a'.repeat(1024)
    expect(problemsOf(`0 3 * * * name=${name} command=/x`)).toEqual([
      '1:16+1024 KRON_IDENTITY_INVALID',
    ])
  })

  it('gives each problem its file, category and line', () => {
    const [problem] = parseKrontab('0 3 * * * @win(after,25h) name=a command=/x', path).problems
    expect(problem).toMatchObject({
      file: path,
      category: 'ValidationError',
      source: '0 3 * * * @win(after,25h) name=a command=/x',
    })
  })

  it('counts the jobs of other files in its limit', () => {
    const text = '0 3 * * * name=a command=/x\n0 3 * * * name=b command=/x\n0 3 * * * name=c c=/x'
    const { jobs, problems } = parseKrontab(text, path, { jobsBefore: krontabLimits.jobs - 1 })
    expect(jobs).toHaveLength(1)
    expect(problems).toMatchObject([{ line: 2, code: 'KRON_FILE_LIMIT' }])
  })

  it('refuses a line beyond its limit', () => {
    const line = `0 3 * * * name=a command=/x description=${'x'.repeat(krontabLimits.lineCharacters)}`
    expect(problemsOf(line)).toEqual([`1:${krontabLimits.lineCharacters + 1}+1 KRON_FILE_LIMIT`])
  })

  it('stops to list problems at a limit and says so', () => {
    const text = 'nonsense\n'.repeat(krontabLimits.problems + 500)
    const { problems } = parseKrontab(text, path)
    expect(problems).toHaveLength(krontabLimits.problems + 1)
    expect(problems.at(-1)?.code).toBe('KRON_FILE_LIMIT')
    expect(problems.at(-1)?.line).toBe(krontabLimits.problems + 1)
  })
})

describe('any text at all', () => {
  const piece = fc.oneof(
    fc.constantFrom('0 3 * * *', '@daily', '@tz(', 'Europe/Paris', ')', '@win(after,2h)', 'name='),
    fc.constantFrom('name=a', 'command=', '"', "'", '\\', '#', '=', ' ', '\t', '\n', '/x', 'env='),
    fc.string({ maxLength: 6, unit: 'binary' }),
  )
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))

  it('is read without throwing, with problems that lie in their lines', () => {
    fc.assert(
      fc.property(text, (content) => {
        const file = parseKrontab(content, path)
        for (const { source, column, length, line } of file.problems) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(length).toBeGreaterThan(0)
          expect(column - 1 + length).toBeLessThanOrEqual(source.length + 1)
        }
        const names = file.jobs.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: 1000 },
    )
  })
})
