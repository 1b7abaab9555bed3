import type { Finding } from '@kron/preview'
import { describe, expect, it } from 'vitest'
import { parseKrontab } from '../krontab/index.js'
import { lint } from './lint.js'

const now = Date.UTC(2026, 2, 1)

const findingsOf = (...schedules: string[]): readonly Finding[] =>
  lint({ files: [], schedules, now }).findings

const ofFile = (text: string): readonly Finding[] =>
  lint({ files: [parseKrontab(text, '/a.krontab')], schedules: [], now }).findings

/** The code and the marked characters. */
const marked = (finding: Finding): [string, string] => {
  const start = finding.column - 1
  return [finding.code, finding.source.slice(start, start + finding.length)]
}

describe('lint', () => {
  it.each([
    '0 3 * * *',
    '*/5 * * * *',
    '0 */6 * * *',
    '@daily',
    '0 3 * * MON-FRI @tz(Europe/Paris) @win(after,2h)',
    '0 3 * * * @tz(Europe/Paris) @win(after,2h) @dist(normal) @seed(weekly)',
    '0 8 * * * @win(after,9h) @avoid(hours=12)',
    '0 8 * * * @win(after,1h) @avoid(dates=2026-12-24..2027-01-03)',
    '0 8 * * * @win(after,1h) @only(dow=MON-FRI)',
    '0 * * * * @tz(Europe/Paris)',
    '0 0 29 3 *',
    '0 23 * * * @win(after,3h)',
    '@daily @win(around,2h)',
    '* * * * * @only(months=6)',
    '*/5 * * * * @only(dom=1)',
  ])('has nothing to say about %s', (schedule) => {
    expect(findingsOf(schedule)).toEqual([])
  })

  it.each<[string, [string, string][]]>([
    ['*/90 * * * *', [['KRON_WARN_STEP_TOO_LARGE', '*/90']]],
    ['0 0-5/9 * * *', [['KRON_WARN_STEP_TOO_LARGE', '0-5/9']]],
    ['*/7 * * * *', [['KRON_WARN_STEP_UNEVEN', '*/7']]],
    ['0 */5 * * *', [['KRON_WARN_STEP_UNEVEN', '*/5']]],
    ['0 0 */2 * *', [['KRON_WARN_STEP_UNEVEN', '*/2']]],
    ['0 0 * */5 *', [['KRON_WARN_STEP_UNEVEN', '*/5']]],
    ['0 0 13 * FRI', [['KRON_WARN_EITHER_DAY', '13 * FRI']]],
    ['30 2 * * * @tz(Europe/Paris)', [['KRON_WARN_CLOCK_CHANGE', '30 2 * * *']]],
    ['@daily @tz(America/Santiago)', [['KRON_WARN_CLOCK_CHANGE', '@daily']]],
    ['0 23 * * FRI @win(after,3h)', [['KRON_WARN_OTHER_DAY', '@win(after,3h)']]],
    ['@weekly @win(around,2h)', [['KRON_WARN_OTHER_DAY', '@win(around,2h)']]],
    ['0 1 1 * * @win(before,2h)', [['KRON_WARN_OTHER_DAY', '@win(before,2h)']]],
    ['0 0 31 * *', [['KRON_WARN_RARE_DAY', '31']]],
    ['0 0 29 2 *', [['KRON_WARN_RARE_DAY', '29']]],
    ['0 3 * * *  @dist(normal)', [['KRON_WARN_NO_EFFECT', '@dist(normal)']]],
    ['0 3 * * * @seed(daily)', [['KRON_WARN_NO_EFFECT', '@seed(daily)']]],
    ['0 8 * * * @win(after,1h) @only(hours=12)', [['KRON_SCHEDULE_NEVER', '@only(hours=12)']]],
    ['0 8 * * SAT @only(dow=MON-FRI)', [['KRON_SCHEDULE_NEVER', '@only(dow=MON-FRI)']]],
    ['0 8 * * * @avoid(hours=8)', [['KRON_SCHEDULE_NEVER', '@avoid(hours=8)']]],
    ['0 8 * * * @only(date=2020-05-01)', [['KRON_WARN_NEVER_ALLOWED', '@only(date=2020-05-01)']]],
    [
      '0 8 * * * @win(after,9h) @only(between=12:00-12:05)',
      [['KRON_WARN_UNSCHEDULABLE', '@only(between=12:00-12:05)']],
    ],
    ['* * * * * @avoid(hours=0-6)', [['KRON_WARN_UNSCHEDULABLE', '@avoid(hours=0-6)']]],
  ])('warns of %s', (schedule, expected) => {
    expect(findingsOf(schedule).map(marked)).toEqual(expected)
  })

  it('finds several things at once', () => {
    const codes = findingsOf('*/7 2 13 * SUN @tz(Europe/Paris) @dist(normal)').map(
      ({ code }) => code,
    )
    expect(codes).toEqual([
      'KRON_WARN_STEP_UNEVEN',
      'KRON_WARN_EITHER_DAY',
      'KRON_WARN_CLOCK_CHANGE',
      'KRON_WARN_NO_EFFECT',
    ])
  })

  it('takes the error of a schedule as a finding', () => {
    expect(findingsOf('0 25 * * *')).toMatchObject([
      {
        severity: 'error',
        file: '<schedule>',
        line: 1,
        column: 3,
        length: 2,
        code: 'KRON_CRON_INVALID',
        category: 'ConfigurationError',
      },
    ])
    expect(findingsOf('0 * * * * @win(after,90m)')).toMatchObject([
      { code: 'KRON_WINDOW_OVERLAP', column: 11, length: 15 },
    ])
  })
})

describe('what lint says', () => {
  const message = (schedule: string): string => findingsOf(schedule)[0]!.message
  const fix = (schedule: string): string | undefined => findingsOf(schedule)[0]!.fix

  it('has the share p and the probability (1-p)^64', () => {
    // 6 minutes of 9 hours, both ends included.
    const share = 360 / 32_401
    const text = message('0 8 * * * @win(after,9h) @only(between=12:00-12:05)')
    expect(text).toContain('only 1.1% of the draws')
    expect(text).toContain(`(1 - ${share.toPrecision(3)})^64`)
    expect(text).toContain(`= ${((1 - share) ** 64 * 100).toFixed(1)}%`)
    expect(fix('0 8 * * * @win(after,9h) @only(between=12:00-12:05)')).toContain('sample=exact')
  })

  it('is nothing once samples are drawn exactly', () => {
    const schedule =
      '0 8 * * * @win(after,9h) @dist(uniform,sample=exact) @only(between=12:00-12:05)'
    expect(findingsOf(schedule)).toEqual([])
  })

  it('names the next day that a clock change touches', () => {
    expect(message('30 2 * * * @tz(America/New_York)')).toBe(
      'in America/New_York 02:30 does not exist on 2026-03-08 (clock 02:00 → 03:00), and the job ' +
        'does not run',
    )
    expect(message('30 1 * * * @tz(America/New_York)')).toBe(
      'in America/New_York 01:30 happens twice on 2026-11-01 (clock 02:00 → 01:00), and the job ' +
        'runs twice',
    )
    expect(message('*/20 2 * * * @tz(Europe/Paris)')).toContain('02:00-02:40 do not exist')
  })

  it('shows the period that reaches into another day', () => {
    expect(message('0 23 * * FRI @win(after,3h)')).toBe(
      'the window reaches into the day after: the period of Fri 2026-03-06 23:00:00 +00:00 can ' +
        'start as late as Sat 2026-03-07 02:00:00 +00:00',
    )
    expect(message('0 0 * * MON @win(around,2h)')).toContain('as early as Sun 2026-03-01 23:00:00')
    expect(findingsOf('0 23 * * FRI @win(after,3h) @only(dow=FRI)')).toEqual([])
  })

  it('explains steps', () => {
    expect(message('*/90 * * * *')).toBe(
      '*/90 in the minute field matches only minute 0: once an hour',
    )
    expect(message('*/7 * * * *')).toBe(
      '*/7 in the minute field starts over each hour: from minute 56 to the next 0 it is 4 ' +
        'minutes, not 7',
    )
    expect(message('0 0 */2 * *')).toContain('from day 31 to the next 1 it is 1 day, not 2')
  })

  it('explains the rule of either day, and that a step counts as restricted', () => {
    expect(message('0 0 13 * FRI')).toBe(
      'both day 13 and weekday FRI are restricted: it runs on days that match either of them, ' +
        'not both',
    )
    const stepped = findingsOf('0 0 */2 * FRI').find(({ code }) => code === 'KRON_WARN_EITHER_DAY')
    expect(stepped?.message).toContain('(a step such as */2 counts as restricted)')
  })

  it('names the months that lack a day, and the next date that has it', () => {
    expect(message('0 0 31 1-4 *')).toBe(
      'day 31 does not exist in February, April: it does not run there, next 2026-03-31',
    )
    expect(message('0 0 29 2 *')).toContain(
      'February in most years: it does not run there, next 2028-02-29',
    )
  })

  it('counts the periods that no hour is left for', () => {
    expect(message('0 * * * * @avoid(hours=0-6)')).toBe(
      'the time is not allowed in 440 of the next 1,500 periods, ' +
        'next Sun 2026-03-01 01:00:00 +00:00',
    )
  })
})

describe('lint of a file', () => {
  it.each([
    ['command="cd /x && make"', '&&'],
    ['command="make > log"', '>'],
    ['command="make 2>&1 | tee x"', '2>&1'],
    ['command="echo $HOME"', '$HOME'],
    ['command="echo $(date)"', '$(date)'],
    ['command="ls ~/x"', '~/x'],
    ['command="a ; b"', ';'],
  ])('points at what only a shell would understand in %s', (command, expected) => {
    const line = `0 3 * * * name=a ${command}`
    expect(ofFile(line).map(marked)).toEqual([['KRON_WARN_SHELL_SYNTAX', expected]])
    expect(ofFile(`${line} shell=true`)).toEqual([])
  })

  it.each(['command="curl http://x/?a=1&b=2"', 'command="find . -name x"', 'command=/bin/x;y'])(
    'leaves %s alone',
    (command) => {
      expect(ofFile(`0 3 * * * name=a ${command}`)).toEqual([])
    },
  )

  it.each([
    ['concurrency=replace', 'without a deadline the run before is killed at once'],
    [
      'concurrency=replace,deadline=5s',
      'a deadline of 5s gives the run before no more time to end',
    ],
  ])('warns of @policy(%s), which leaves too little time to end', (policy, message) => {
    expect(ofFile(`0 3 * * * @policy(${policy}) name=a command=/x`)).toMatchObject([
      {
        code: 'KRON_WARN_REPLACE_DEADLINE',
        message: expect.stringContaining(message),
        column: 11,
        fix: expect.stringContaining('deadline=1m'),
      },
    ])
    const enough = '0 3 * * * @policy(concurrency=replace,deadline=10s) name=a command=/x'
    expect(ofFile(enough)).toEqual([])
  })

  it.each([
    `command="sh -c 'cd /srv && make > log'"`,
    `command="/bin/bash -euo pipefail -c 'a | b'"`,
    String.raw`command="zsh -lc \"echo $HOME\""`,
    `command="/usr/bin/env -i LANG=C nice -n 5 timeout 5m dash -c 'a; b' x y"`,
    `command="busybox sh -c 'a && b'"`,
    `command="docker exec web sh -c 'a | b'"`,
    `command="su - ada -c 'a && b'"`,
    `command="flock /run/lock -c 'a && b'"`,
    `command="ssh host 'cd /srv && make'"`,
  ])('leaves alone what a shell reads in %s', (command) => {
    expect(ofFile(`0 3 * * * name=a ${command}`)).toEqual([])
  })

  it.each([
    [`command="sh -c 'a | b' > log"`, '>'],
    [`command="sh run.sh && b"`, '&&'],
    [`command="bash -x script $HOME"`, '$HOME'],
    [`command="su ada && b"`, '&&'],
    [`command="cc -c 'a $B'"`, "$B'"],
  ])('points at what no shell reads in %s', (command, expected) => {
    expect(ofFile(`0 3 * * * name=a ${command}`).map(marked)).toEqual([
      ['KRON_WARN_SHELL_SYNTAX', expected],
    ])
  })

  it('warns of ten jobs that start in the same second, at the first of them', () => {
    const jobs = (count: number, window = '') =>
      Array.from({ length: count }, (_, i) => `0 0 * * * ${window} name=j-${i} command=/x`).join(
        '\n',
      )
    expect(ofFile(jobs(9))).toEqual([])
    expect(ofFile(jobs(10, '@win(after,1h)'))).toEqual([])
    expect(ofFile(jobs(10, '@policy(suspend=true)'))).toEqual([])
    expect(ofFile(`# x\n${jobs(12)}`)).toMatchObject([
      {
        code: 'KRON_WARN_SAME_TIME',
        line: 2,
        message: '12 jobs without a window start in the same second: 0 0 * * *',
      },
    ])
  })

  it('lists errors and warnings in the order of the lines', () => {
    const findings = ofFile(
      '*/90 * * * * name=a command=/x\nnonsense\n*/7 * * * * name=b command=/x',
    )
    expect(findings.map(({ line, severity }) => [line, severity])).toEqual([
      [1, 'warning'],
      [2, 'error'],
      [3, 'warning'],
    ])
  })
})
