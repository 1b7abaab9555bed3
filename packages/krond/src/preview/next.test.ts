import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'

const next = (...args: string[]) => runInMemory(['next', ...args])
const rowsOf = (stdout: string): string[] =>
  stdout.split('\n').filter((line) => /^\d{4}-/.test(line))
const periodsOf = (...args: string[]) => JSON.parse(next(...args, '--format', 'json').stdout)

describe('krontab next', () => {
  it('lists nominal and chosen times, the delay and the local time', () => {
    const { stdout, exitCode } = next('0 3 * * * @tz(Europe/Paris) @win(after,2h)', '--limit', '2')
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      [
        '0 3 * * * @tz(Europe/Paris) @win(after,2h)',
        `Europe/Paris, tzdata ${periodsOf('@daily').tzdata}`,
        '',
        'nominal (UTC)         chosen (UTC)             delay  chosen (local)',
        '2026-03-01T02:00:00Z  2026-03-01T03:50:51Z  1h50m51s  Sun 03-01 04:50:51 +01:00',
        '2026-03-02T02:00:00Z  2026-03-02T02:21:48Z    21m48s  Mon 03-02 03:21:48 +01:00',
        '',
      ].join('\n'),
    )
  })

  it('leaves the local column out in UTC, and lists ten unless told', () => {
    const { stdout } = next('@daily')
    expect(stdout).not.toContain('local')
    expect(rowsOf(stdout)).toHaveLength(10)
  })

  it('takes dates in the zone of the job', () => {
    const runs = next(
      '0 */8 * * * @tz(Asia/Tokyo)',
      '--from',
      '2026-03-05',
      '--until',
      '2026-03-06',
    )
    expect(rowsOf(runs.stdout).map((row) => row.slice(0, 20))).toEqual([
      '2026-03-04T15:00:00Z',
      '2026-03-04T23:00:00Z',
      '2026-03-05T07:00:00Z',
    ])
    expect(next('@daily', '--from', '2026-13-05')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^krontab: --from must be .*\nhint: a date such as 2026-03-01/),
    })
    const order = next('@daily', '--from', '2026-03-05', '--until', '2026-03-05')
    expect(order.stderr).toBe('krontab: --until must be after --from\n')
  })

  it('begins with --from itself and ends before --until', () => {
    const { stdout } = next(
      '0 3 * * *',
      '--from',
      '2026-03-05T03:00:00Z',
      '--until',
      '2026-03-07T03:00:00Z',
    )
    expect(rowsOf(stdout).map((row) => row.slice(0, 20))).toEqual([
      '2026-03-05T03:00:00Z',
      '2026-03-06T03:00:00Z',
    ])
  })

  it('lists all before --until, or as many as --limit says', () => {
    const month = ['--from', '2026-03-01T00:00:00Z', '--until', '2026-04-01T00:00:00Z']
    expect(rowsOf(next('@daily', ...month).stdout)).toHaveLength(31)
    const cut = next('@daily', ...month, '--limit', '3')
    expect(rowsOf(cut.stdout)).toHaveLength(3)
    expect(cut.stderr).toBe('krontab: stopped after 3 periods, before --until\n')
  })

  it('says when there is nothing', () => {
    expect(next('@yearly', '--until', '2026-04-01T00:00:00Z').stdout).toContain('no periods')
  })

  it('shows delays before the nominal time', () => {
    const { periods } = periodsOf('0 3 * * * @win(before,2h)', '--limit', '5')
    for (const { delaySeconds } of periods) expect(delaySeconds).toBeLessThanOrEqual(0)
    expect(next('0 3 * * * @win(before,2h)').stdout).toMatch(/ -\d+m\d+s/)
  })

  it('marks the two runs of a time that happens twice', () => {
    const { periods } = periodsOf(
      '30 2 * * * @tz(Europe/Paris)',
      '--from',
      '2026-10-24T12:00:00Z',
      '--limit',
      '3',
    )
    expect(periods.map((period: { clock: string }) => period.clock)).toEqual([
      '03:00 → 02:00, 1st 02:30',
      '03:00 → 02:00, 2nd 02:30',
      null,
    ])
  })

  it('says which time does not exist', () => {
    const args = ['30 2 * * * @tz(Europe/Paris)', '--from', '2026-03-28T12:00:00Z', '--limit', '1']
    expect(periodsOf(...args).skipped).toEqual([
      { date: '2026-03-29', from: '02:30', to: '02:30', clock: '02:00 → 03:00' },
    ])
    expect(next(...args).stdout).toContain(
      'no period on 2026-03-29 at 02:30: the clock goes 02:00 → 03:00',
    )
    const before = next(...args.slice(0, 2), '2026-03-20T00:00:00Z', '--limit', '2')
    expect(before.stdout).not.toContain('no period')
  })

  it('marks unschedulable and superseded periods', () => {
    const lost = next('0 8 * * * @win(after,1h) @only(dow=MON-FRI)', '--limit', '2')
    expect(rowsOf(lost.stdout)[0]).toBe('2026-03-01T08:00:00Z  unschedulable              -')
    expect(lost.stdout).toContain('krontab explain says why')
    const overlapping = '30 2 * * * @tz(Europe/Paris) @win(around,2h)'
    const { stdout } = next(overlapping, '--from', '2026-10-25T00:00:00Z', '--limit', '2')
    expect(rowsOf(stdout)[0]).toContain('1st 02:30, superseded')
    expect(stdout).toContain('this one is skipped')
    expect(next('@daily @policy(suspend=true)').stdout).toContain('suspended: nothing runs')
  })

  it('lists up to 100,000', () => {
    const { stdout, exitCode } = next('* * * * *', '--limit', '100000')
    expect(exitCode).toBe(0)
    expect(rowsOf(stdout)).toHaveLength(100_000)
    expect(next('* * * * *', '--limit', '100001')).toMatchObject({
      exitCode: 1,
      stderr: 'krontab: --limit must be a whole number from 1 to 100,000, got "100001"\n',
    })
  })

  it.each([
    [['--limit', '0'], '--limit must be a whole number'],
    [['--limit', 'x'], '--limit must be a whole number'],
    [['--from', 'tomorrow'], '--from must be an RFC 3339 time'],
    [['--until', '2026-02-01T00:00:00Z'], '--until must be after --from'],
  ])('refuses %j', (args, message) => {
    const { exitCode, stderr, stdout } = next('@daily', ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(message)
  })
})
