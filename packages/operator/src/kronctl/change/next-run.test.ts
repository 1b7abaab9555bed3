import { describe, expect, it } from 'vitest'
import { compileKronJob, type KronJob, type KronJobSpec } from '../../kronjob/index.js'
import { nextRun } from './next-run.js'

const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`)

function kronJob(spec: Partial<KronJobSpec>, lastPeriodID?: string): KronJob {
  const status = lastPeriodID === undefined ? {} : { lastPeriodID }
  const metadata = { namespace: 'shop', name: 'backup', creationTimestamp: '2026-01-01T00:00:00Z' }
  const jobTemplate = { spec: {} }
  return { metadata, spec: { schedule: '0 * * * *', jobTemplate, ...spec }, status }
}

/** As the core chooses in half an hour after the full one. */
const chosenAt10 = at('10:16:15')
const chosenAt11 = at('11:02:46')

describe('the next run', () => {
  const spread = { window: { mode: 'after', duration: '30m' } } as const

  it.each([
    ['is in the current window if its time is still to come', '10:00:01', undefined, chosenAt10],
    ['is now if its time has come', '10:16:15', undefined, chosenAt10],
    ['is that of the next period if its time has passed', '10:16:16', undefined, chosenAt11],
    ['is that of the next period if this one is handled', '10:00:01', '10:00:00', chosenAt11],
  ])('%s', (_, now, handled, expected) => {
    const last = handled === undefined ? undefined : `2026-03-01T${handled}Z`
    expect(nextRun(kronJob(spread, last), at(now))).toBe(expected)
  })

  it('is now within a deadline', () => {
    const late = { ...spread, policy: { deadline: '20m' } }
    expect(nextRun(kronJob(late), at('10:20:00'))).toBe(at('10:20:00'))
  })

  it('is found however many periods can not run before it', () => {
    const june = { schedule: '* * * * *', constraints: { only: ['months=6;hours=3'] } }
    expect(nextRun(kronJob(june), at('10:00:01'))).toBe(Date.parse('2026-06-01T03:00:00Z'))
  })

  it('is none when all dates have passed', () => {
    const past = { constraints: { only: ['date=2026-02-28'] } }
    expect(nextRun(kronJob(past), at('10:00:01'))).toBeNull()
  })

  it('is not one that was due before the schedule was edited', () => {
    const job = compileKronJob(kronJob({ policy: { deadline: '24h' } }))
    const edited = kronJob({ schedule: '58 9 * * *', policy: { deadline: '24h' } })
    const status = { responsibleSince: '2026-02-01T00:00:00Z', timing: job.timing }
    expect(nextRun({ ...edited, status }, at('10:00:00'))).toBe(Date.parse('2026-03-02T09:58:00Z'))
  })

  it('is not told of a specification that is invalid', () => {
    expect(nextRun(kronJob({ schedule: 'often' }), at('10:00:00'))).toBeNull()
  })
})
