import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'
import { parseKrontab } from '../krontab/index.js'

const files = {
  '/etc/crontab': 'MAILTO=root\n# hourly things\n17 * * * * root run-parts /etc/cron.hourly\n',
  '/etc/cron.d/php': '9,39 * * * * www-data sessionclean\n@reboot root start\n',
  '/etc/cron.d/php.dpkg-old': 'nonsense\n',
  '/etc/cron.d/more': '0 1 * * * root sessionclean\n',
  '/home/ada/mine': '0 5 * * * backup --all\n',
  '/home/ada/bad': '# x\n0 25 * * * backup\n0 5 * * * good\n61 * * * * bad\n',
  '/home/ada/there.krontab': '',
  '/var/spool/cron/crontabs/eve': '@daily eves\n',
}
const run = (...args: string[]) => runInMemory(['import', ...args], { files })
const jobsOf = (text: string) => parseKrontab(text, '/x.krontab').jobs

describe('krontab import', () => {
  it('prints a krontab, and what is not the same on stderr', () => {
    expect(run('/etc/crontab')).toMatchObject({
      exitCode: 0,
      stdout: [
        '# from /etc/crontab',
        '# hourly things',
        '17 * * * * @policy(concurrency=allow,deadline=1m) name=run-parts-hourly ' +
          'command="run-parts /etc/cron.hourly" shell=true user=root env=MAILTO=root ' +
          'description="hourly things"',
        '',
      ].join('\n'),
      stderr: '/etc/crontab:1:1: warning: krond sends no mail: what jobs write goes to its log\n',
    })
  })

  it('reads folders as cron does, and keeps names apart', () => {
    const { stdout, stderr, exitCode } = run('/etc/cron.d')
    expect(exitCode).toBe(0)
    expect(jobsOf(stdout).map(({ name, user }) => [name, user])).toEqual([
      ['sessionclean', 'root'],
      ['php/sessionclean', 'www-data'],
    ])
    expect(stdout).toMatch(/\n# not converted, @reboot .*: @reboot root start\n$/)
    expect(stderr).toContain('/etc/cron.d/php:2:1: warning: @reboot is not a schedule')
  })

  it('takes short names where one command has one, and tells the others apart', () => {
    const twice = { '/c': '0 1 * * * sync x\n0 2 * * * sync x\n0 3 * * * other\n' }
    const { stdout } = runInMemory(['import', '/c'], { files: twice })
    const named = jobsOf(stdout).map(({ name }) => name)
    const synced = expect.stringMatching(/^sync-x-[0-9a-f]{8}$/)
    expect(named).toEqual([synced, synced, 'other'])
  })

  it('takes the format and the user that are given', () => {
    const [job] = jobsOf(run('mine', '--user', 'ada').stdout)
    expect(job).toMatchObject({ user: 'ada', command: { text: 'backup --all' } })
    const [system] = jobsOf(run('mine', '--system-format').stdout)
    expect(system).toMatchObject({ user: 'backup', command: { text: '--all' } })
    expect(jobsOf(run('/etc/cron.d/more', '--user-format').stdout)[0]).toMatchObject({
      command: { text: 'root sessionclean' },
    })
    expect(jobsOf(run('/var/spool/cron/crontabs/eve').stdout)[0]?.user).toBe('eve')
  })

  it('takes the zone of the system, or the one that is given', () => {
    const zoneOf = (options: object, ...args: string[]) =>
      jobsOf(runInMemory(['import', 'mine', ...args], { files, ...options }).stdout)[0]?.job.spec
        .timezone
    expect(zoneOf({})).toBe('UTC')
    expect(zoneOf({ timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
    expect(zoneOf({ timezone: 'Asia/Tokyo' }, '--timezone', 'Europe/Paris')).toBe('Europe/Paris')
  })

  it("warns of a CRON_TZ, which Debian's cron ignores", () => {
    const zoned = { '/c': 'CRON_TZ=Asia/Tokyo\n0 1 * * * x\n' }
    const { stdout, stderr } = runInMemory(['import', '/c'], { files: zoned })
    expect(jobsOf(stdout)[0]?.job.spec.timezone).toBe('Asia/Tokyo')
    expect(stderr).toMatch(/^\/c:1:1: warning: krond follows CRON_TZ.* of the system, UTC\n$/)
  })

  it('writes nothing when a line is wrong, and names them all', () => {
    const { exitCode, stdout, stderr, written } = run('bad', '--out', 'new.krontab')
    expect({ exitCode, stdout, written: written.size }).toEqual({
      exitCode: 2,
      stdout: '',
      written: 0,
    })
    expect(stderr).toContain('bad:2:3: error: hour field has the value 25, outside of 0-23')
    expect(stderr).toContain('bad:4:1: error: minute field has the value 61')
    expect(stderr).toContain('krontab: 2 errors, nothing was written')
  })

  it('writes a file, but not over another one', () => {
    const { exitCode, stdout, written } = run('mine', '--out', 'new.krontab')
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'wrote 1 job to new.krontab; the next 100 runs of each are the same\n',
    })
    expect(jobsOf(written.get('/home/ada/new.krontab') ?? '')).toHaveLength(1)
    const refused = run('mine', '--out', 'there.krontab')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toBe(
      'krontab: "there.krontab" exists already, nothing was written\nhint: --force overwrites it\n',
    )
    expect(run('mine', '--out', 'there.krontab', '--force').written.size).toBe(1)
  })

  it('gives data to programs', () => {
    const found = JSON.parse(run('/etc/cron.d/php', '--format', 'json').stdout)
    expect(found).toMatchObject({
      out: null,
      jobs: [{ name: 'sessionclean', file: '/etc/cron.d/php', line: 1 }],
      warnings: [{ file: '/etc/cron.d/php', line: 2, column: 1, length: 7 }],
      errors: [],
    })
    expect(jobsOf(found.krontab)).toHaveLength(1)
    const wrong = run('bad', '--format', 'json')
    expect(wrong.exitCode).toBe(2)
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      krontab: null,
      errors: [{ line: 2 }, { line: 4 }],
    })
  })

  it.each<[string[], string]>([
    [[], 'krontab: nothing to import'],
    [['/none'], 'krontab: can\'t read "/none": no such file or folder'],
    [['mine', '--timezone', 'Mars'], 'krontab: --timezone: unknown time zone "Mars"'],
    [['mine', '--user-format', '--system-format'], 'exclude each other'],
  ])('refuses %j', (args, message) => {
    const { exitCode, stderr } = run(...args)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })
})
