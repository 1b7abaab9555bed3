import { compileJob } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { GoCronOracle } from '../../../testing/kronctl/go-cron-oracle.js'
import { Refusal } from './conversion.js'
import { goCronSchedule } from './go-cron-schedule.js'

const cronOf = (text: string): string => {
  const read = goCronSchedule(text)
  return read instanceof Refusal ? `refused: ${read.reason}` : read.cron
}

describe('a schedule of a CronJob', () => {
  it.each([
    ['0 3 * * *', '0 3 * * *'],
    ['0 * * * ?', '0 * * * *'],
    ['5/15 * ? * ?', '5-59/15 * * * *'],
    ['0 0/6 * * *', '0 0-23/6 * * *'],
    ['?/20 * * * *', '*/20 * * * *'],
    ['*/1 */1 * * *', '* * * * *'],
    ['0 0 *,15 * MON', '0 0 * * MON'],
    ['0 0 1 jan-mar,Dec mon', '0 0 1 JAN-MAR,DEC MON'],
    ['0 0 * FEB/3 tue/2', '0 0 * FEB-12/3 TUE-6/2'],
    ['00 03 01 01 00', '0 3 1 1 0'],
    ['59/7 23/5 * * *', '59 23 * * *'],
    ['1,,2 3-3 * * *', '1,2 3 * * *'],
    ['  0   3 * * * ', '0 3 * * *'],
    ['@hourly', '@hourly'],
    ['@midnight', '@midnight'],
    ['CRON_TZ=Asia/Tokyo @daily', '@daily'],
  ])('%j is %j', (text, cron) => {
    expect(cronOf(text)).toBe(cron)
  })

  it.each([
    ['obvious error schedule', 'a schedule must have 5 fields, "obvious error schedule" has 3'],
    ['0 0 * * 7', 'the weekday field "7" must be from 0 to 6, or SUN and so on'],
    ['0 24 * * *', 'the hour field "24" must be from 0 to 23'],
    ['0 0 * * FRI-SUN', 'the weekday field "FRI-SUN" must not begin after its end'],
    ['*/0 * * * *', 'the minute field "*/0" must have a step of 1 or more'],
    ['1-2-3 * * * *', 'the minute field "1-2-3" has too many hyphens'],
    ['1/2/3 * * * *', 'the minute field "1/2/3" has too many slashes'],
    [', * * * *', 'the minute field "," has no values'],
    ['@Daily', '"@Daily" must be one of @yearly, @annually, @monthly, @weekly, @daily'],
    ['@reboot', '"@reboot" must be one of'],
    ['0 0 3 * * *', 'a schedule must have 5 fields'],
  ])('%j is refused, as Kubernetes does', (text, reason) => {
    expect(cronOf(text)).toContain(`refused: ${reason}`)
  })

  it.each([
    ['@every 1h', '"0 * * * *" runs as often, on the clock'],
    ['@every 90m', '"0 */2 * * *" runs the nearest on the clock'],
    ['@every 10s', '"* * * * *" runs the nearest on the clock'],
    ['@every 720h', '"0 0 * * 0" runs the nearest on the clock'],
  ])('%j is refused, with the nearest that can be said', (text, hint) => {
    const read = goCronSchedule(text) as Refusal
    expect(read.reason).toContain('counts from when the CronJob was created')
    expect(read.hint).toContain(hint)
  })

  it('brings its own zone', () => {
    expect(goCronSchedule('TZ=Europe/Paris 0 3 * * *')).toMatchObject({ timezone: 'Europe/Paris' })
    expect(goCronSchedule('CRON_TZ=UTC 0 3 * * *')).toMatchObject({ timezone: 'UTC' })
    expect(goCronSchedule('0 3 * * *')).toMatchObject({ timezone: null })
  })

  it.each([
    '0 * * * ?',
    '5/15 * ? * ?',
    '?/20 1,13 * * *',
    '0 0 *,15 * MON',
    '0 0 13 * FRI',
    '0 0 */2 * FRI',
    '0 0 1-31 * 1',
    '0 12 31 * *',
    '30 2 * * *',
    '0 2 * * 0',
    '15 0/6 * FEB/3 tue/2',
    '*/7 9-17 * * mon-fri',
    '59/7 23/5 * * *',
    '@monthly',
    '@weekly',
    '@yearly',
    '0 0 29 2 *',
  ])('%j has the next 100 runs that Kubernetes gives it', (text) => {
    for (const timezone of ['UTC', 'America/New_York', 'Europe/Paris', 'Asia/Kathmandu']) {
      const oracle = new GoCronOracle(text, timezone)
      const job = compileJob({ identity: 'a', schedule: cronOf(text), timezone })
      let at = Date.UTC(2026, 1, 20)
      const runs = text.includes('29 2') || text === '@yearly' ? 10 : 100
      for (let run = 0; run < runs; run++) {
        const expected: number = oracle.next(at)!
        expect([timezone, job.nextPeriod(at)]).toEqual([timezone, expected])
        at = expected
      }
    }
  })
})
