import type { Job } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { compileKronJob, type KronJobSpec } from '../kronjob/index.js'
import type { HandledPeriod } from '../record/handled-period.js'
import { lostAt, periodStep, type Step, type StepInput, wouldHaveRun } from './period-step.js'

type Policy = NonNullable<KronJobSpec['policy']>

const jobOf = (policy: Policy = {}, spec: Partial<KronJobSpec> = {}): Job =>
  compileKronJob(kronJobOf({ policy, ...spec }))

const handled = (time: string): HandledPeriod => ({
  nominalTime: at(time),
  chosenTime: at(time),
  outcome: 'executed',
})

function inputOf(now: string, job: Job = jobOf(), more: Partial<StepInput> = {}): StepInput {
  return {
    job,
    now: at(now),
    responsibleSince: at('08:30:00'),
    lastHandled: handled('09:00:00'),
    isActive: false,
    planned: null,
    attempt: null,
    ...more,
  }
}

/** `kind period`, and what else a step says. */
function told(step: Step): string {
  const passed = step.passedOver === null ? '' : `, not ${timeOf(step.passedOver.nominalTime)}`
  if (step.kind === 'idle') return `idle${passed}`
  const what = `${step.kind} ${timeOf(step.decision.nominalTime)}`
  if (step.kind === 'wait') return `${what} until ${timeOf(step.until)}${passed}`
  if (step.kind === 'settle') return `${what} ${step.verdict.kind}${passed}`
  return `${what}${step.replace ? ' replacing' : ''}${passed}`
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19)
const stepAt = (...given: Parameters<typeof inputOf>): string => told(periodStep(inputOf(...given)))

const replacing = (time: string, replacingSince: number | null = at(time)) => ({
  attempt: {
    nominalTime: at(time),
    failures: 0,
    uncertainUntil: null,
    replacingSince,
    waitingSince: null,
    waitLoggedAt: null,
    failure: null,
  },
})

describe('the step of a period', () => {
  it.each<[string, string, Parameters<typeof inputOf>]>([
    ['waits for it', 'wait 10:00:00 until 10:00:00', ['09:59:59']],
    ['starts it in its second', 'execute 10:00:00', ['10:00:00']],
    ['misses it a second later', 'settle 10:00:00 missed', ['10:00:01']],
    ['is none while suspended', 'idle', ['10:00:00', jobOf({ suspend: true })]],
    [
      'skips it beside another',
      'settle 10:00:00 skipped',
      ['10:00:00', jobOf(), { isActive: true }],
    ],
    [
      'replaces another',
      'execute 10:00:00 replacing',
      ['10:00:00', jobOf({ concurrency: 'replace' }), { isActive: true }],
    ],
    [
      'is of the next one when this one is handled',
      'wait 11:00:00 until 11:00:00',
      ['10:00:00', jobOf(), { lastHandled: handled('10:00:00') }],
    ],
    [
      'is of the current one where none is handled',
      'execute 10:00:00',
      ['10:30:00', jobOf({ deadline: '1h' }), { lastHandled: null }],
    ],
  ])('%s', (_, expected, given) => {
    expect(stepAt(...given)).toBe(expected)
  })
})

describe('the first second that is ours', () => {
  const hour = jobOf({ deadline: '59m' })

  it.each([
    ['starts a period that is due in it', '10:00:00', 'execute 10:00:00'],
    [
      'leaves one that was due a second before to nobody',
      '10:00:01',
      'wait 11:00:00 until 11:00:00, not 10:00:00',
    ],
  ])('%s', (_, since, expected) => {
    expect(stepAt('10:00:01', hour, { responsibleSince: at(since) })).toBe(expected)
  })

  it('is past in one step, however many periods lie before it', () => {
    const minutely = jobOf({ deadline: '24h' }, { schedule: '* * * * *' })
    const ours = { responsibleSince: at('10:30:30'), lastHandled: handled('09:00:00') }
    const planned = minutely.decide(at('09:01:00'))
    expect(stepAt('10:30:30', minutely, { ...ours, planned })).toBe(
      'wait 10:31:00 until 10:31:00, not 09:01:00',
    )
  })

  it('does not pass over a period that is due less than a second after it', () => {
    const since = at('09:59:59') + 500
    const planned = hour.decide(at('09:00:00'))
    const ours = { responsibleSince: since, lastHandled: null, planned }
    expect(stepAt('09:59:59', hour, ours)).toBe('wait 10:00:00 until 10:00:00, not 09:00:00')
  })

  it('does not pass over a window that reaches beyond it', () => {
    const wide = jobOf({ deadline: '24h' }, { window: { mode: 'after', duration: '59m' } })
    const planned = wide.decide(at('09:00:00'))
    for (let minute = 0; minute < 60; minute++) {
      const since = at(`10:${String(minute).padStart(2, '0')}:00`)
      const step = periodStep(
        inputOf('10:00:00', wide, { responsibleSince: since, planned, lastHandled: null }),
      )
      const own = [10, 11].map((hour) => wide.decide(at(`${hour}:00:00`)))
      const first = own.find(({ chosenTime }) => (chosenTime ?? 0) >= since)
      expect(step.kind === 'idle' ? null : step.decision.periodId).toBe(first?.periodId)
    }
  })

  it('does not count where the first period is to run', () => {
    const eager = jobOf({ deadline: '59m', first: 'run' })
    expect(stepAt('10:30:00', eager, { responsibleSince: at('10:30:00') })).toBe('execute 10:00:00')
  })
})

describe('a period that was passed over', () => {
  it.each([
    ['would have run within its deadline', '10:05:00', true],
    ['would not have run after it', '10:05:01', false],
  ])('%s', (_, now, expected) => {
    const job = jobOf({ deadline: '5m' })
    const input = inputOf(now, job, { responsibleSince: at('10:00:01') })
    expect(wouldHaveRun(input, job.decide(at('10:00:00')))).toBe(expected)
  })
})

describe('what was planned', () => {
  const job = jobOf({ deadline: '3h' })

  it('is taken up, though another period is current', () => {
    const planned = job.decide(at('10:00:00'))
    expect(stepAt('09:59:00', job, { planned })).toBe('wait 10:00:00 until 10:00:00')
    const afar = job.decide(at('15:00:00'))
    expect(stepAt('10:00:00', job, { planned: afar })).toBe('wait 15:00:00 until 15:00:00')
  })

  it('is dropped when it is handled', () => {
    const planned = job.decide(at('10:00:00'))
    const after = { planned, lastHandled: handled('10:00:00') }
    expect(stepAt('10:00:00', job, after)).toBe('wait 11:00:00 until 11:00:00')
  })
})

describe('a replacement without a deadline', () => {
  const job = jobOf({ concurrency: 'replace' })
  const begun = { ...replacing('10:00:00'), isActive: true }

  it.each<[string, string, Partial<StepInput>, string]>([
    ['goes on for a minute', '10:01:00', begun, 'execute 10:00:00 replacing'],
    ['is missed after it', '10:01:01', begun, 'settle 10:00:00 missed'],
    [
      'starts when the old Job is gone',
      '10:00:40',
      { ...begun, isActive: false },
      'execute 10:00:00',
    ],
    [
      'of another period does not help',
      '10:00:40',
      { ...begun, ...replacing('09:00:00') },
      'settle 10:00:00 missed',
    ],
    [
      'that has not begun is missed',
      '10:00:40',
      { ...begun, ...replacing('10:00:00', null) },
      'settle 10:00:00 missed',
    ],
  ])('%s', (_, now, more, expected) => {
    expect(stepAt(now, job, more)).toBe(expected)
  })

  it('gives way to the next period in the second of that', () => {
    const minutely = jobOf({ concurrency: 'replace' }, { schedule: '* * * * *' })
    const planned = minutely.decide(at('10:00:00'))
    expect(stepAt('10:00:59', minutely, { ...begun, planned })).toBe('execute 10:00:00 replacing')
    expect(stepAt('10:01:00', minutely, { ...begun, planned })).toBe('settle 10:00:00 missed')
  })

  it('with a deadline has that instead', () => {
    const patient = jobOf({ concurrency: 'replace', deadline: '30s' })
    expect(stepAt('10:00:30', patient, begun)).toBe('execute 10:00:00 replacing')
    expect(stepAt('10:00:31', patient, begun)).toBe('settle 10:00:00 missed')
  })
})

describe('a period is lost', () => {
  const lost = (job: Job, more: Partial<StepInput> = {}): string => {
    const end = lostAt(inputOf('10:00:00', job, more), job.decide(at('10:00:00')))
    return Number.isFinite(end) ? new Date(end).toISOString().slice(11, 23) : 'never'
  }
  const replacesHourly = jobOf({ concurrency: 'replace' })
  const replacesMinutely = jobOf({ concurrency: 'replace' }, { schedule: '* * * * *' })

  it.each<[string, Job, Partial<StepInput>, string]>([
    ['in the second after its own', jobOf(), {}, '10:00:01.000'],
    ['in the second after its deadline', jobOf({ deadline: '5m' }), {}, '10:05:01.000'],
    ['to the period after it', jobOf({ deadline: '5h' }), {}, '11:00:00.000'],
    ['a minute after its replacement began', replacesHourly, replacing('10:00:00'), '10:01:00.001'],
    ['to the next one before that', replacesMinutely, replacing('10:00:00'), '10:01:00.000'],
    ['never if it has no time', jobOf({}, { constraints: { only: ['hours=12'] } }), {}, 'never'],
  ])('%s', (_, job, more, expected) => {
    expect(lost(job, more)).toBe(expected)
  })
})
