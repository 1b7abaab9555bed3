import { memoryFiles } from '@kron/command/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { variableOf } from './crontab-line.js'
import { findCrontabs, isCrontabName } from './crontab-paths.js'
import { nameOfCommand } from './job-name.js'
import { splitAtPercent } from './job-of-entry.js'
import { type CrontabFile, type CrontabOptions, parseCrontab } from './parse-crontab.js'
import { readCrontabs } from './read-crontabs.js'
import { systemTimezone } from './system-timezone.js'

const path = '/home/ada/crontab'
const read = (text: string, options: Partial<CrontabOptions> = {}): CrontabFile =>
  parseCrontab(text, path, { format: 'user', timezone: 'UTC', ...options })
const problemsOf = (text: string, options: Partial<CrontabOptions> = {}): string[] =>
  read(`${text}\n`, options).problems.map(
    ({ line, column, length, code }) => `${line}:${column}+${length} ${code}`,
  )
const noticesOf = (text: string): string[] =>
  read(text).notices.map(({ line, message }) => `${line}: ${message}`)

describe('a line of a user crontab', () => {
  it('is a job that a shell runs, at the times of the system', () => {
    const [job] = read('5 4 * * 1-5 cd /srv && ./run "a b"\n', { timezone: 'Europe/Paris' }).jobs
    expect(job).toMatchObject({
      name: expect.stringMatching(/^run-[0-9a-f]{8}$/),
      identity: expect.stringMatching(/^\/home\/ada\/crontab:run-[0-9a-f]{8}$/),
      command: { kind: 'shell', text: 'cd /srv && ./run "a b"' },
      shell: true,
      env: {},
      schedulePlace: { line: 1, column: 1, length: 11 },
      commandPlace: { line: 1, column: 13, length: 22 },
    })
    expect(job?.job.spec).toMatchObject({ schedule: '5 4 * * 1-5', timezone: 'Europe/Paris' })
    expect(job).not.toHaveProperty('user')
    expect(job).not.toHaveProperty('stdin')
  })

  it('starts as cron does: while the last run goes on, and within the minute', () => {
    const [job] = read('* * * * * x\n').jobs
    expect(job?.job.policy).toMatchObject({ concurrency: 'allow', deadline: 60_000 })
  })

  it('has the input that follows a percent sign', () => {
    const [job] = read('0 9 * * 1 mail ada%hello%100\\% sure\n').jobs
    expect(job).toMatchObject({ command: { text: 'mail ada' }, stdin: 'hello\n100% sure\n' })
  })

  it('runs in the HOME that the file sets, as the user that is given', () => {
    const [job] = read('HOME=/srv/app\n@daily x\n', { user: 'ada' }).jobs
    expect(job).toMatchObject({ cwd: '/srv/app', user: 'ada', env: { HOME: '/srv/app' } })
  })

  it('is described by the comment right above it, unless that is a line switched off', () => {
    const text =
      '# Nightly backup\n0 1 * * * a\n\n#0 2 * * * old\n0 2 * * * b\n# one\n# two\n0 3 * * * c\n'
    expect(read(text).jobs.map(({ description }) => description)).toEqual([
      'Nightly backup',
      undefined,
      undefined,
    ])
  })

  it('of the system names its user', () => {
    const [job] = read('0 3 * * *\tbackup\t/usr/bin/dump\n', { format: 'system' }).jobs
    expect(job).toMatchObject({ user: 'backup', command: { text: '/usr/bin/dump' } })
  })
})

describe('variables', () => {
  it('hold for the lines after them', () => {
    const file = read('A=1\n0 1 * * * x\nB = "two  words"\nA=3\n0 2 * * * y\n')
    expect(file.jobs.map(({ env }) => env)).toEqual([{ A: '1' }, { A: '3', B: 'two  words' }])
  })

  it.each<[string, ReturnType<typeof variableOf>]>([
    ['A=b', { name: 'A', value: 'b' }],
    ['  A  =  b c  ', { name: 'A', value: 'b c' }],
    ['A="  b  "', { name: 'A', value: '  b  ' }],
    ["'A'='b \"c\"'", { name: 'A', value: 'b "c"' }],
    ['A=', { name: 'A', value: '' }],
    ['A=""', { name: 'A', value: '' }],
    ['A=$HOME/bin', { name: 'A', value: '$HOME/bin' }],
    ['A=b # c', { name: 'A', value: 'b # c' }],
    ['A="b" c', null],
    ['A="b', null],
    ['* * * * * A=b cmd', null],
    ['@daily A=b cmd', null],
    ['=b', null],
  ])('are read from %j as cron reads them', (line, variable) => {
    expect(variableOf(line)).toEqual(variable)
  })

  it('of cron itself set the zone, and nothing when they are unknown', () => {
    const text =
      'CRON_TZ=Asia/Tokyo\n0 1 * * * a\nCRON_TZ=\n0 1 * * * b\nTZ=Asia/Tokyo\n0 1 * * * c\n'
    const zones = read(text, { timezone: 'Europe/Paris' }).jobs.map(({ job }) => job.spec.timezone)
    expect(zones).toEqual(['Asia/Tokyo', 'Europe/Paris', 'Europe/Paris'])
    const wrong = read('CRON_TZ=Mars/Base\n0 1 * * * a\n')
    expect(wrong).toMatchObject({ jobs: [], problems: [{ line: 1, code: 'KRON_ZONE_UNKNOWN' }] })
    expect(wrong.broken).toEqual([{ name: expect.stringMatching(/^a-/), line: 2 }])
  })

  it('delay jobs as cronie does, within what a window may be', () => {
    const windows = read('RANDOM_DELAY=45\n0 3 * * * a\n*/5 * * * * b\n')
    expect(windows.jobs.map(({ job }) => job.spec.window.duration)).toEqual([2_700_000, 300_000])
    expect(windows.notices).toMatchObject([{ line: 3 }])
  })

  it('of cron itself that not every cron knows are told, if they make a difference', () => {
    const text = 'CRON_TZ=Asia/Tokyo\nCRON_TZ=\nCRON_TZ=:Europe/Paris\nCRON_TZ=Asia/Tokyo\n'
    const told = (timezone: string) =>
      read(text, { timezone }).notices.map(({ line, message }) => `${line}: ${message}`)
    const tokyo =
      '1: krond follows CRON_TZ, as cronie does: jobs below it run in the zone Asia/Tokyo. ' +
      "Debian's cron ignores CRON_TZ and runs them in the zone of the system, Europe/Paris"
    expect(told('Europe/Paris')).toEqual([tokyo])
    expect(told('Asia/Tokyo')).toEqual([
      expect.stringMatching(/^3: krond follows CRON_TZ.* Europe\/Paris\. /),
    ])
  })

  it('that have no effect are told', () => {
    expect(noticesOf('MAILTO=ada\nMAILTO=bob\nMAILTO=""\nLOGNAME=eve\nA-B=1\nTZ=UTC\n')).toEqual([
      '1: krond sends no mail: what jobs write goes to its log',
      '4: LOGNAME is always the name of the user; the line has no effect',
      '5: "A-B" is not a name that a shell accepts; the variable is left out',
      '6: TZ only reaches the commands: times in this file are in the zone of the system, or of CRON_TZ',
    ])
    const [job] = read('MAILTO=ada\nLOGNAME=eve\n@daily x\n').jobs
    expect(job?.env).toEqual({ MAILTO: 'ada' })
  })
})

describe('what a crontab has that krond does not run', () => {
  it('is left out, and said', () => {
    const file = read('@reboot start\n0 0 31 2 * never\n@daily x\n')
    expect(file.jobs).toHaveLength(1)
    expect(file.problems).toEqual([])
    expect(file.notices.map(({ line, column, length }) => [line, column, length])).toEqual([
      [1, 1, 7],
      [2, 1, 10],
    ])
    expect(file.lines.map(({ kind }) => kind)).toEqual(['left-out', 'left-out', 'job', 'text'])
  })
})

describe('a random range', () => {
  const minuteOf = (text: string, options: Partial<CrontabOptions> = {}): string =>
    read(`${text}\n`, options).jobs[0]!.job.spec.schedule.split(' ')[0]!

  it('is one number, always the same for a job, and others for others', () => {
    expect(minuteOf('0~59 * * * * a')).toMatch(/^\d+$/)
    expect(minuteOf('0~59 * * * * a')).toBe(minuteOf('# x\nA=b\n0~59 * * * * a'))
    const chosen = Array.from({ length: 40 }, (_, at) => minuteOf(`~ * * * * job${at}`))
    expect(new Set(chosen).size).toBeGreaterThan(15)
    for (const minute of chosen) expect(Number(minute)).toBeLessThan(60)
  })

  it('stays in its range, and takes steps from a random offset', () => {
    for (let at = 0; at < 50; at++) {
      expect(Number(minuteOf(`10~12 * * * * job${at}`))).toBeGreaterThanOrEqual(10)
      expect(Number(minuteOf(`10~12 * * * * job${at}`))).toBeLessThanOrEqual(12)
      const steps = minuteOf(`~/20 * * * * job${at}`).split(',').map(Number)
      expect(steps).toHaveLength(3)
      expect(steps[1]! - steps[0]!).toBe(20)
    }
  })

  it('is told with what was chosen', () => {
    expect(noticesOf('5~5 3 * * * a\n')).toEqual([
      '1: ~ becomes a value that is chosen once, from the identity of the job: 5 3 * * *',
    ])
  })
})

describe('a wrong line', () => {
  it.each<[string, string]>([
    ['60 * * * * x', '1:1+2 KRON_CRON_INVALID'],
    ['  0   24  *  * * x', '1:7+2 KRON_CRON_INVALID'],
    ['0 0 0 * * x', '1:5+1 KRON_CRON_INVALID'],
    ['0 0 1,32 * * x', '1:7+2 KRON_CRON_INVALID'],
    ['0 0 * * 8 x', '1:9+1 KRON_CRON_INVALID'],
    ['0 0 * foo * x', '1:7+3 KRON_CRON_INVALID'],
    ['0 0 * * fri-sun x', '1:9+7 KRON_CRON_INVALID'],
    ['5/10 * * * * x', '1:1+4 KRON_CRON_INVALID'],
    ['*/0 * * * * x', '1:1+3 KRON_CRON_INVALID'],
    ['1, * * * * x', '1:3+1 KRON_CRON_INVALID'],
    ['9~5 * * * * x', '1:1+3 KRON_CRON_INVALID'],
    ['@Daily x', '1:1+6 KRON_CRON_INVALID'],
    ['@dialy x', '1:1+6 KRON_CRON_INVALID'],
    ['0 0 * *', '1:8+1 KRON_CRONTAB_SYNTAX'],
    ['0 0 * * *', '1:10+1 KRON_CRONTAB_SYNTAX'],
    ['0 0 * * * ', '1:10+1 KRON_CRONTAB_SYNTAX'],
    ['0 0 * * * %input', '1:11+1 KRON_CRONTAB_SYNTAX'],
    ['@daily', '1:7+1 KRON_CRONTAB_SYNTAX'],
    ['MAILTO="x', '1:10+1 KRON_CRONTAB_SYNTAX'],
    ['0 0 * * * x\u0007', '1:12+1 KRON_KRONTAB_SYNTAX'],
  ])('%j says where', (line, problem) => {
    expect(problemsOf(line)).toEqual([problem])
  })

  it('of the system format tells where the user belongs', () => {
    const { problems } = read('0 0 * * * /usr/bin/x arg\n', { format: 'system' })
    expect(problems).toMatchObject([{ column: 11, length: 10, code: 'KRON_FIELD_INVALID' }])
    expect(problems[0]?.message).toContain('in a system crontab it stands before the command')
  })

  it('leaves the others', () => {
    const file = read('60 * * * * bad\n0 * * * * good\n')
    expect(file.jobs.map(({ name }) => name)).toEqual([expect.stringMatching(/^good-/)])
    expect(file.broken).toEqual([{ name: expect.stringMatching(/^bad-/), line: 1 }])
  })
})

describe('the end of the file', () => {
  it('may lack a newline, which Debian would not accept', () => {
    expect(noticesOf('@daily x')).toEqual([expect.stringContaining('has no newline')])
    expect(read('@daily x').jobs).toHaveLength(1)
    expect(noticesOf('@daily x\n# end')).toEqual([])
  })

  it('may be that of Windows', () => {
    expect(read('@daily x y\r\n').jobs[0]?.command).toEqual({ kind: 'shell', text: 'x y' })
    expect(noticesOf('@daily x\r\n')).toEqual([expect.stringContaining('Windows')])
  })
})

describe('the names of jobs', () => {
  it.each([
    ['cd / && run-parts --report /etc/cron.hourly', 'run-parts-hourly'],
    [
      'test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }',
      'run-parts-daily',
    ],
    ['command -v debian-sa1 > /dev/null && debian-sa1 1 1', 'debian-sa1'],
    ['[ -x /a ] && if [ ! -d /run/systemd ]; then /usr/lib/php/sessionclean; fi', 'sessionclean'],
    ['cd /var/www/app && php artisan schedule:run >> /dev/null 2>&1', 'artisan-schedule-run'],
    ['nice -n 19 ionice -c3 /usr/bin/updatedb', 'updatedb'],
    ['LANG=C flock -n /tmp/x.lock timeout 10m /opt/Sync.sh now', 'sync-now'],
    ['/usr/bin/python3 /home/ada/bin/fetch_mail.py --quiet', 'fetch-mail'],
    ["bash -lc 'cd ~/proj && make nightly'", 'make-nightly'],
    ['certbot -q renew', 'certbot-renew'],
    ['echo "$(date +%s)" > /tmp/x', 'echo'],
    ['cd /tmp', 'cd-tmp'],
    ['"', 'job'],
    ['übung', 'bung'],
  ])('of %j is %s', (command, name) => {
    expect(nameOfCommand(command)).toBe(name)
  })

  const namesOf = (...lines: string[]): string[] =>
    read(`${lines.join('\n')}\n`).jobs.map(({ name }) => name)

  it('do not depend on where their lines stand', () => {
    const [a, b, c] = ['0 1 * * * sync x', '0 2 * * * sync x', '0 3 * * * other']
    const [first, second, third] = namesOf(a!, b!, c!)
    expect(new Set([first, second, third]).size).toBe(3)
    expect(namesOf(c!, '# text', 'A=b', b!, a!)).toEqual([third, second, first])
    expect(third).toMatch(/^other-[0-9a-f]{8}$/)
    expect(first).toMatch(/^sync-x-[0-9a-f]{8}$/)
  })

  it('stay when a line is added with the same command, and so do identities and ~ minutes', () => {
    const line = '~ 1 * * * sync x'
    const jobs = (...lines: string[]) =>
      read(`${lines.join('\n')}\n`).jobs.map(({ identity, job }) => [identity, job.spec.schedule])
    const [alone] = jobs(line)
    for (const added of ['0 2 * * * sync x', '~ 3 * * * sync x', '0 1 * * * sync y', line]) {
      expect(jobs(added, line)).toContainEqual(alone)
      expect(jobs(line, added)).toContainEqual(alone)
    }
  })

  it('tell users apart, and files', () => {
    const system = (text: string, file = path) =>
      parseCrontab(text, file, { format: 'system', timezone: 'UTC' }).jobs[0]!.identity
    const root = system('0 1 * * * root sync x\n')
    expect(system('0 1 * * * ada sync x\n')).not.toBe(root)
    expect(system('0 1 * * * root sync x\n', '/etc/crontab')).not.toBe(root)
    expect(system('0  1 *\t* *   root  sync x\n')).toBe(root)
  })

  it('count lines that are equal in everything', () => {
    const line = '0 1 * * * sync x'
    const [first, second, third] = namesOf(line, line, line)
    expect([second, third]).toEqual([`${first}-2`, `${first}-3`])
  })
})

describe('crontabs of paths', () => {
  it('are those that run-parts would take from a folder', () => {
    const names = ['php', 'a-b_C9', 'x.dpkg-old', 'y~', '.hidden', '#z#', 'with.dot']
    expect(names.filter(isCrontabName)).toEqual(['php', 'a-b_C9'])
    const files = memoryFiles(
      Object.fromEntries(names.map((name) => [`/etc/cron.d/${name}`, '@daily root x\n'])),
    )
    expect(findCrontabs(['/etc/cron.d'], files)).toEqual(['/etc/cron.d/a-b_C9', '/etc/cron.d/php'])
    expect(findCrontabs(['/etc/cron.d/with.dot'], files)).toEqual(['/etc/cron.d/with.dot'])
    expect(() => findCrontabs(['/none'], files)).toThrow('no such file or folder')
  })

  it('have a format that their path tells', () => {
    const files = memoryFiles({
      '/etc/cron.d/a': '@daily root x\n',
      '/var/spool/cron/crontabs/ada': '@daily y\n',
      '/latin': new Uint8Array([0xe9]),
    })
    const paths = ['/etc/cron.d/a', '/var/spool/cron/crontabs/ada', '/latin', '/none']
    const found = readCrontabs(paths, files, { timezone: 'UTC' })
    expect(found.map(({ jobs }) => jobs.map(({ user }) => user))).toEqual([
      ['root'],
      ['ada'],
      [],
      [],
    ])
    expect(found.slice(2).map(({ problems }) => problems[0]?.code)).toEqual([
      'KRON_FILE_ENCODING',
      'KRON_FILE_UNREADABLE',
    ])
  })
})

describe('the zone of the system', () => {
  const zoneOf = (TZ?: string, line: string | null = null, link: string | null = null): string =>
    systemTimezone({ env: { TZ }, line: () => line, link: () => link })

  it.each<[string | undefined, string | null, string | null, string]>([
    [undefined, null, null, 'UTC'],
    ['Europe/Paris', 'Asia/Tokyo', null, 'Europe/Paris'],
    [':Europe/Paris', null, null, 'Europe/Paris'],
    [':/usr/share/zoneinfo/Europe/Paris', null, null, 'Europe/Paris'],
    ['CET-1CEST,M3.5.0', 'Asia/Tokyo ', null, 'Asia/Tokyo'],
    ['', null, '/usr/share/zoneinfo/America/New_York', 'America/New_York'],
    [undefined, 'nonsense', '../usr/share/zoneinfo/posix/Asia/Kolkata', 'Asia/Kolkata'],
    [undefined, 'Etc/UTC', null, 'UTC'],
  ])('with TZ=%j, /etc/timezone %j and /etc/localtime %j is %s', (TZ, line, link, zone) => {
    expect(zoneOf(TZ, line, link)).toBe(zone)
  })
})

describe('a percent sign', () => {
  it.each<[string, string, string | null]>([
    ['a b', 'a b', null],
    ['a%b', 'a', 'b\n'],
    ['a%', 'a', null],
    ['a%%', 'a', '\n'],
    ['a%b%c%', 'a', 'b\nc\n'],
    ['date +\\%d', 'date +%d', null],
    ['a \\\\%b', 'a \\\\', 'b\n'],
    ['a \\n%b\\%c\\d', 'a \\n', 'b%c\\d\n'],
    ['a%b\\\\%c', 'a', 'b\\%c\n'],
    ['a\\', 'a\\', null],
  ])('in %j ends the command', (text, command, stdin) => {
    expect(splitAtPercent(text)).toEqual({ command, stdin })
  })
})

describe('any text at all', () => {
  const piece = fc.oneof(
    fc.constantFrom('0 3 * * *', '@daily', '@reboot', '*/5', '~', '1-5', ',', '%', '\\', 'A=', '"'),
    fc.constantFrom(
      "'",
      '#',
      ' ',
      '\t',
      '\n',
      '\r\n',
      'CRON_TZ=',
      'x',
      '/bin/x',
      'sun',
      '-',
      '=',
      '$(',
    ),
    fc.string({ maxLength: 6, unit: 'binary' }),
  )
  const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

  it('is read without throwing, with unique names, and problems that lie in their lines', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('system', 'user'), (content, format) => {
        const file = read(content, { format: format as 'system' | 'user' })
        for (const { source, column, length } of [...file.problems, ...file.notices]) {
          expect(column).toBeGreaterThan(0)
          expect(length).toBeGreaterThan(0)
          expect(column - 1 + length).toBeLessThanOrEqual(source.length + 1)
        }
        const names = file.jobs.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(name).toMatch(/^[a-z0-9/-]+$/)
      }),
      { numRuns: 3000 },
    )
  })
})
