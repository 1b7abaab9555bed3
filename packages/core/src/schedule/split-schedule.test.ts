import { describe, expect, it } from 'vitest'
import { splitSchedule } from './index.js'

describe('splitSchedule', () => {
  const lines: [line: string, schedule: string, rest: string][] = [
    ['0 2 * * * name=a command=/bin/true', '0 2 * * *', 'name=a command=/bin/true'],
    ['@daily name=a', '@daily', 'name=a'],
    ['  @daily\tname=a', '  @daily', 'name=a'],
    ['@daily @win(after,3h) name=a', '@daily @win(after,3h)', 'name=a'],
    ['@daily @win(after,3h)name=a', '@daily @win(after,3h)', 'name=a'],
    [
      '@daily @dist(skewLate,shape=2) @tz(UTC)  x=1',
      '@daily @dist(skewLate,shape=2) @tz(UTC)',
      'x=1',
    ],
    ['@daily @seed(daily, salt=x ) name=a', '@daily @seed(daily, salt=x )', 'name=a'],
    ['@daily @seed(daily,salt=") x=1") name=a', '@daily @seed(daily,salt=") x=1")', 'name=a'],
    ['@daily @seed(daily,salt="\\") x=1") name=a', '@daily @seed(daily,salt="\\") x=1")', 'name=a'],
    ['@daily @win (after, x=3h) name=a', '@daily @win (after, x=3h)', 'name=a'],
    ['@daily @foo(x=1) name=a', '@daily @foo(x=1)', 'name=a'],
    ['0 2 * * MON-FRI my-field=a', '0 2 * * MON-FRI', 'my-field=a'],
    ['0 2 * * * command="x" @win(after,3h)', '0 2 * * *', 'command="x" @win(after,3h)'],
    ['name=a', '', 'name=a'],
    ['0 2 * * *  ', '0 2 * * *', ''],
    ['', '', ''],
    ['@daily @win(after,3h name=a', '@daily @win(after,3h name=a', ''],
    ['@daily @seed(daily,salt="x) name=a', '@daily @seed(daily,salt="x) name=a', ''],
    ['@daily @foo=bar', '@daily @foo=bar', ''],
    ['0 2 * * 1=2 name=a', '0 2 * * 1=2', 'name=a'],
  ]
  it.each(lines)('splits %j', (line, schedule, rest) => {
    const split = splitSchedule(line)
    expect(split.schedule).toBe(schedule)
    expect(split.rest).toBe(rest)
    expect(line.slice(split.restOffset)).toBe(rest)
  })
})
