import { describe, expect, it } from 'vitest'
import { parseCrontab } from './parse-crontab.js'

const minute = 60_000
const day = 24 * 60 * minute
const read = (...lines: string[]) =>
  parseCrontab(`${lines.join('\n')}\n`, '/home/ada/crontab', { format: 'user', timezone: 'UTC' })
const windowsOf = (...lines: string[]): number[] =>
  read(...lines).jobs.map(({ job }) => job.spec.window.duration)

describe('a RANDOM_DELAY', () => {
  it('longer than any window delays by at most a week', () => {
    expect(windowsOf('RANDOM_DELAY=10080', '@yearly x')).toEqual([7 * day])
    expect(windowsOf('RANDOM_DELAY=10081', '@yearly x')).toEqual([7 * day])
    expect(windowsOf('RANDOM_DELAY=999999', '@yearly x')).toEqual([7 * day])
  })

  it('is left out where it could reach into a day that the line does not name', () => {
    const { jobs, notices } = read('RANDOM_DELAY=45', '50 23 */2 * 1 x')
    expect(jobs[0]?.job.spec.window.duration).toBe(0)
    expect(jobs[0]?.job.spec.constraints.only).not.toEqual([])
    expect(notices).toMatchObject([{ line: 2, message: expect.stringMatching(/^RANDOM_DELAY=45/) }])
  })

  it('that is no number of minutes delays nothing, and is told', () => {
    const lines = ['RANDOM_DELAY=45', 'RANDOM_DELAY=1h', '0 3 * * * x']
    expect(windowsOf(...lines)).toEqual([0])
    expect(read(...lines).notices).toMatchObject([{ line: 2 }])
  })
})

describe('a variable that cron reads', () => {
  it('is given to the commands as well', () => {
    const [job] = read('CRON_TZ=Asia/Tokyo', 'RANDOM_DELAY=5', '0 3 * * * x').jobs
    expect(job?.env).toEqual({ CRON_TZ: 'Asia/Tokyo', RANDOM_DELAY: '5' })
  })

  it('sends no job to a HOME that is no absolute path', () => {
    const [job] = read('HOME=app', '0 3 * * * x').jobs
    expect(job).not.toHaveProperty('cwd')
    expect(job?.env).toEqual({ HOME: 'app' })
  })
})
