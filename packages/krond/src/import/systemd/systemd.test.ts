import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/command/memory-host.js'
import { wordsOf } from '../../krontab/command.js'
import { compileSchedule, parseKrontab } from '../../krontab/index.js'
import { execCommands } from './exec-line.js'
import { calendarOf } from './on-calendar.js'
import { commandLine } from './service-fields.js'
import { timeSpan } from './timer-schedule.js'

/** A variable as units write it inside of words. */
const braced = (name: string): string => `\${${name}}`

describe('a calendar expression', () => {
  const cronOf = (text: string): string => {
    const found = calendarOf(text)
    if (found.kind !== 'calendar') return `${found.kind}: ${found.reason}`
    const only = found.only === '' ? '' : ` @only(${found.only})`
    return `${found.cron}${found.timezone === null ? '' : ` @tz(${found.timezone})`}${only}`
  }

  it.each([
    ['minutely', '* * * * *'],
    ['hourly', '0 * * * *'],
    ['daily', '0 0 * * *'],
    ['Weekly', '0 0 * * 1'],
    ['monthly', '0 0 1 * *'],
    ['quarterly', '0 0 1 1,4,7,10 *'],
    ['semiannually', '0 0 1 1,7 *'],
    ['yearly', '0 0 1 1 *'],
    ['daily UTC', '0 0 * * * @tz(UTC)'],
    ['Mon..Fri *-*-* 02:00:00', '0 2 * * 1-5'],
    ['Mon-Fri 02:00', '0 2 * * 1-5'],
    ['Sat,Sunday 5:30', '30 5 * * 0,6'],
    ['Sat..Sun', '0 0 * * 0,6'],
    ['Mon,', '0 0 * * 1'],
    ['*:0/15', '*/15 * * * *'],
    ['*:5/20', '5,25,45 * * * *'],
    ['*-*-* *:5..20/5:00', '5,10,15,20 * * * *'],
    ['00/3:00', '0 */3 * * *'],
    ['10,14..16:30', '30 10,14-16 * * *'],
    ['*-1/2-1 3:00', '0 3 1 */2 *'],
    ['12-24', '0 0 24 12 *'],
    ['*-*-01/2', '0 0 */2 * *'],
    ['02:00 Europe/Paris', '0 2 * * * @tz(Europe/Paris)'],
    ['Mon *-*-1..7 04:00', '0 4 * * 1 @only(dom=1-7)'],
    ['Mon..Sun *-*-15', '0 0 15 * *'],
    ['2026-*-* 01:00', 'inexpressible: it names a year'],
    ['*-*~03', 'inexpressible: it counts days from the end of the month'],
    ['03:00:30', 'inexpressible: cron has no seconds'],
    ['*:*/15', 'invalid: the time is not understood'],
    ['*:30/45', 'invalid: the time is not understood'],
    ['Fri..Mon', 'invalid: the weekdays are not understood'],
    ['25:00', 'invalid: the time is not understood'],
    ['*-13-01', 'invalid: the date is not understood'],
    ['Mon 1-1 1:00 2', 'invalid: more than weekdays, a date, a time and a zone'],
    ['nonsense', 'invalid: the weekdays are not understood'],
    ['', 'invalid: the date is not understood'],
  ])('%j is %s', (text, cron) => {
    expect(cronOf(text)).toBe(cron)
  })

  const analyze = (text: string) =>
    spawnSync(
      'systemd-analyze',
      ['calendar', '--iterations=20', '--base-time=2026-01-05 00:00:01', text],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
      },
    )
  const hasSystemd = analyze('daily').status === 0
  if (!hasSystemd) console.warn('no systemd-analyze: calendar expressions are not compared to it')

  const part = (min: number, max: number, stepEnd = '') =>
    fc.oneof(
      fc.constant('*'),
      fc
        .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 })
        .map((all) => all.join()),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}..${Math.max(a, b)}`),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min: 1, max: 20 }))
        .map(([a, b]) => `${a}${stepEnd}/${b}`),
    )
  // systemd 252 counts an open step on past the end, and so loses days of January, or midnight of
  // a first of the month: steps have an end here.
  const dates = part(1, 31, '..31')
  const days = fc.constantFrom(
    '',
    '',
    'Mon ',
    'Mon..Fri ',
    'Sat,Sun ',
    'Tue..Thu,Sun ',
    'Sun..Tue ',
  )

  it.runIf(hasSystemd)('elapses when systemd says so', () => {
    fc.assert(
      fc.property(
        days,
        part(1, 12, '..12'),
        dates,
        part(0, 23, '..23'),
        part(0, 59, '..59'),
        (day, month, date, hour, minute) => {
          const text = `${day}*-${month}-${date} ${hour}:${minute}`
          const { status, stdout } = analyze(text)
          const found = calendarOf(text)
          expect([text, found.kind === 'calendar']).toEqual([text, status === 0])
          if (found.kind !== 'calendar' || stdout.includes('never')) return
          const only = found.only === '' ? '' : ` @only(${found.only})`
          const job = compileSchedule(`${found.cron}${only}`, 'x')
          const wanted = [...stdout.matchAll(/(?:elapse|#\d+): \w+ (\S+) (\S+) UTC/g)].map(
            ([, on, at]) => `${on}T${at}.000Z`,
          )
          const runs: string[] = []
          let nominal = job.nextPeriod(Date.UTC(2026, 0, 5, 0, 0, 1))
          while (nominal !== null && runs.length < wanted.length) {
            if (job.decide(nominal).chosenTime !== null) runs.push(new Date(nominal).toISOString())
            nominal = job.nextPeriod(nominal)
          }
          expect([text, ...runs]).toEqual([text, ...wanted])
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a time span', () => {
  it.each<[string, number | null]>([
    ['90', 90_000],
    ['1h 30min', 5_400_000],
    ['1h30m', 5_400_000],
    ['2days', 172_800_000],
    ['1.5s', 1500],
    ['500ms', 500],
    ['infinity', Number.POSITIVE_INFINITY],
    ['soon', null],
    ['5 parsecs', null],
    ['', null],
  ])('%j is %s ms', (text, span) => {
    expect(timeSpan(text)).toBe(span)
  })
})

describe('an ExecStart', () => {
  const wordsIn = (line: string, env: Record<string, string> = {}) => {
    const found = execCommands(line, env)
    return typeof found === 'string' ? found : found.map(({ words }) => words)
  }

  it.each<[string, unknown]>([
    ['/bin/a b  c', [['/bin/a', 'b', 'c']]],
    ['-/bin/a', [['/bin/a']]],
    [`/bin/a "b c" 'd "e"' f\\sg`, [['/bin/a', 'b c', 'd "e"', 'f g']]],
    ['/bin/a x ; /bin/b', [['/bin/a', 'x'], ['/bin/b']]],
    ['/bin/a "x ; y"', [['/bin/a', 'x ; y']]],
    [`/bin/a $ARGS ${braced('ARGS')} $$x %%d`, [['/bin/a', '-v', '2', '-v 2', '$x', '%d']]],
    [':/bin/a $ARGS', [['/bin/a', '$ARGS']]],
    ['/bin/a $OTHER', 'it uses $OTHER, which the unit does not set'],
    ['/bin/a %i', 'it has the specifier %i'],
    ['+/bin/a', '+ before the command changes how it is run'],
    ['|/bin/a', '| before the command changes how it is run'],
    ['/bin/a "b', 'a quote is not closed'],
    ['', 'it has no command'],
  ])('%j is read', (line, expected) => {
    expect(wordsIn(line, { ARGS: '-v 2' })).toEqual(expected)
  })

  it('becomes a command line with the same words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (words) => {
        expect(wordsOf(commandLine(words))).toEqual(words)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('krontab import --systemd', () => {
  const timer = (...lines: string[]): string => ['[Timer]', ...lines, ''].join('\n')
  const service = (...lines: string[]): string =>
    ['[Unit]', 'Description=Back up', '[Service]', 'Type=oneshot', ...lines, ''].join('\n')
  const run = (timerText: string, serviceText: string, ...args: string[]) =>
    runInMemory(['import', '--systemd', 'backup.timer', ...args], {
      files: { '/home/ada/backup.timer': timerText, '/home/ada/backup.service': serviceText },
    })

  it('makes a job of each OnCalendar, with all that the service says', () => {
    const { exitCode, stdout, stderr } = run(
      timer('OnCalendar=Mon..Fri 02:00', 'OnCalendar=*:0/30', 'RandomizedDelaySec=15min'),
      service(
        'User=backup',
        'Group=disk',
        'WorkingDirectory=/srv',
        'Environment="A=b c" D=e',
        'UMask=0077',
        'TimeoutStartSec=2h',
        'StandardOutput=null',
        `ExecStart=/usr/bin/backup --to "${braced('A')}" \\`,
        '  --all',
      ),
      '--timezone',
      'Europe/Paris',
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const { jobs, problems } = parseKrontab(stdout, '/x.krontab')
    expect(problems).toEqual([])
    expect(jobs).toMatchObject([
      {
        name: 'backup',
        command: { kind: 'words', words: ['/usr/bin/backup', '--to', 'b c', '--all'] },
        user: 'backup',
        group: 'disk',
        cwd: '/srv',
        env: { A: 'b c', D: 'e' },
        umask: 0o77,
        timeoutMs: 7_200_000,
        stdout: { kind: 'discard' },
        description: 'Back up',
      },
      { name: 'backup-2' },
    ])
    expect(jobs.map(({ job }) => job.spec)).toMatchObject([
      { schedule: '0 2 * * 1-5', timezone: 'Europe/Paris', window: { duration: 900_000 } },
      { schedule: '*/30 * * * *', policy: { concurrency: 'forbid', deadline: 60_000 } },
    ])
  })

  it.each([
    ['daily', 24],
    ['hourly', 1],
    ['weekly', 168],
    ['Mon..Fri 01:00', 72],
    // The longest gap is of 23 hours and a half, and a deadline is never shorter than that.
    ['*-*-* 08:00,30', 24],
    ['*-*-* *:00,30', 1],
    ['yearly', 8784],
  ])('lets a persistent timer that runs %s be %i hours late', (calendar, hours) => {
    const { stdout } = run(
      timer(`OnCalendar=${calendar}`, 'Persistent=true'),
      service('ExecStart=/x'),
    )
    expect(stdout).toContain(`deadline=${hours}h)`)
  })

  it('says what it leaves out, and goes on', () => {
    const { exitCode, stdout, stderr } = run(
      timer(
        'OnBootSec=5min',
        'OnCalendar=03:00:30',
        'OnCalendar=daily',
        'FixedRandomDelay=yes',
        'DeferReactivation=yes',
      ),
      service('Nice=5', 'ExecStart=/x'),
    )
    expect(exitCode).toBe(0)
    expect(stderr.split('\n')).toEqual([
      'backup.timer:2:11: warning: not converted: OnBootSec counts from an event, krond runs by the clock',
      'backup.timer:5:18: warning: FixedRandomDelay has no counterpart: the delay is another one in each period',
      'backup.timer:6:19: warning: DeferReactivation is not converted',
      'backup.service:5:6: warning: Nice is not converted',
      'backup.timer:3:12: warning: not converted: cron has no seconds',
      '',
    ])
    expect(stdout).toContain('\n# not converted, cron has no seconds: OnCalendar=03:00:30\n')
    expect(parseKrontab(stdout, '/x.krontab').jobs).toHaveLength(1)
  })

  it('says of each condition that nobody checks it, beside the job too', () => {
    const unit = (...lines: string[]): string => ['[Unit]', ...lines, ''].join('\n')
    const { exitCode, stdout, stderr } = run(
      unit('ConditionACPower=true') + timer('OnCalendar=daily'),
      unit(
        'Documentation=man:x',
        'ConditionHost=gone',
        'ConditionUser=',
        'ConditionPathExists=!/run/off',
        'AssertPathIsMountPoint=/mnt',
        'OnFailure=mail.service',
      ) + service('ExecStart=/x'),
    )
    expect(exitCode).toBe(0)
    const unchecked = (key: string): string =>
      `not converted: krond does not check ${key}, the job always runs, unless its command checks it`
    expect(stderr.split('\n')).toEqual([
      `backup.timer:2:18: warning: ${unchecked('ConditionACPower')}`,
      `backup.service:5:21: warning: ${unchecked('ConditionPathExists')}`,
      `backup.service:6:24: warning: ${unchecked('AssertPathIsMountPoint')}`,
      'backup.service:7:11: warning: OnFailure is not converted',
      '',
    ])
    const [, ...lines] = stdout.split('\n')
    expect(lines.slice(0, 3)).toEqual([
      '# not converted, krond does not check ConditionACPower, the job always runs: ConditionACPower=true',
      '# not converted, krond does not check ConditionPathExists, the job always runs: ConditionPathExists=!/run/off',
      '# not converted, krond does not check AssertPathIsMountPoint, the job always runs: AssertPathIsMountPoint=/mnt',
    ])
    expect(parseKrontab(stdout, '/x.krontab').jobs).toHaveLength(1)
  })

  it('joins several commands in a shell', () => {
    const { stdout } = run(
      timer('OnCalendar=daily'),
      service('ExecStartPre=-/bin/a', "ExecStart=/bin/b 'x y'", 'ExecStart=/bin/c'),
    )
    expect(parseKrontab(stdout, '/x.krontab').jobs[0]?.command).toEqual({
      kind: 'shell',
      text: "{ /bin/a || :; } && /bin/b 'x y' && /bin/c",
    })
  })

  it.each<[string, string, number, string]>([
    [
      timer('OnCalendar=nonsense'),
      service('ExecStart=/x'),
      2,
      'backup.timer:2:12: error: OnCalendar',
    ],
    [timer('OnCalendar=daily'), service(), 2, 'the service has no ExecStart'],
    [timer('OnCalendar=daily'), service('ExecStart=/x %i'), 2, 'it has the specifier %i'],
    ['[Unit]\n', service(), 2, 'there is no [Timer] section'],
    [timer('OnCalendar=daily', 'Unit=other.service'), '', 1, 'other.service'],
  ])('refuses %j with %j', (timerText, serviceText, code, message) => {
    const { exitCode, stdout, stderr } = run(timerText, serviceText)
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' })
    expect(stderr).toContain(message)
  })
})
