import { ConfigurationError, InvalidCronExpressionError, KronError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { kronJobManifest } from '../../test/kron-job-manifest.js'
import { compileKronJob } from './compile-kron-job.js'
import type { KronJobSpec } from './kron-job.js'
import { applyDefaults } from './schema/kron-job-schema.js'

function failure(spec: Partial<Record<keyof KronJobSpec, unknown>>): KronError {
  try {
    compileKronJob(kronJobManifest(spec))
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('compileKronJob', () => {
  it('is seeded by namespace and name', () => {
    expect(compileKronJob(kronJobManifest()).identity).toBe('shop/backup')
  })

  it('takes a manifest without a namespace to be of the default one', () => {
    const { spec } = kronJobManifest()
    expect(compileKronJob({ metadata: { name: 'backup' }, spec }).identity).toBe('default/backup')
  })

  it('makes the same of a bare manifest as of one that an API server has filled in', () => {
    const bare = kronJobManifest({ window: { duration: '3h' } })
    const full = applyDefaults(bare)
    expect(full.spec.policy).toEqual({
      concurrency: 'forbid',
      deadline: '0s',
      suspend: false,
      first: 'wait',
    })
    expect(compileKronJob(full).spec).toEqual(compileKronJob(bare).spec)
  })

  it('takes parameters as numbers and as text', () => {
    const specs = [2.5, '2.5'].map(
      (shape) =>
        compileKronJob(kronJobManifest({ distribution: { name: 'skewEarly', params: { shape } } }))
          .spec.distribution,
    )
    expect(specs).toEqual([specs[0], specs[0]])
  })

  it('names a field as a path in the manifest', () => {
    const error = failure({ window: { duration: '3d' } })
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.details.field).toBe('spec.window.duration')
    expect(error.message).toMatch(/^spec\.window\.duration must be a duration .*got "3d"/)
  })

  it.each<[string, Partial<Record<keyof KronJobSpec, unknown>>, string]>([
    ['spec.schedule', { schedule: '0 25 * * *' }, 'hour field has the value 25'],
    ['spec.schedule', { schedule: '0 0 31 2 *' }, 'spec.schedule "0 0 31 2 *" never runs'],
    ['spec.timezone', { timezone: 'Paris' }, 'did you mean Europe/Paris?'],
    ['spec.window.duration', { window: { duration: '25h' } }, 'window of 25h is too large'],
    ['spec.window.mode', { window: { mode: 'before' } }, 'one of after, around, got "before"'],
    ['spec.window.mode', { window: { mode: 'center' } }, 'one of after, around, got "center"'],
    ['spec.constraints.only[1]', { constraints: { only: ['hours=8', 'hour=9'] } }, 'hours'],
    [
      'spec.distribution.params.shpae',
      { distribution: { name: 'skewLate', params: { shpae: 2 } } },
      'did you mean shape?',
    ],
    ['spec.policy.concurrency', { policy: { concurrency: 'Forbid' } }, 'forbid, allow, replace'],
    ['spec.seed.strategy', { seed: { strategy: 'hourly' } }, 'stable, daily, weekly'],
  ])('blames %s for %j', (field, spec, text) => {
    const { details, message } = failure(spec)
    expect(details.field).toBe(field)
    expect(message).toContain(field)
    expect(message).toContain(text)
  })

  it('keeps what a cron expression is told about its own field', () => {
    const error = failure({ schedule: '0 25 * * *' })
    expect(error).toBeInstanceOf(InvalidCronExpressionError)
    expect((error as InvalidCronExpressionError).field).toBe('hour')
  })

  it('refuses the extensions of Quartz', () => {
    expect(failure({ schedule: '0 0 L * *' }).code).toBe('KRON_CRON_INVALID')
  })

  it('compiles ten thousand, each with its own times', () => {
    const minutes = Array.from({ length: 10_000 }, (_, index) => index % 1440)
    const nominals = minutes.map((minute, index) => {
      const schedule = `${minute % 60} ${Math.floor(minute / 60)} * * *`
      const metadata = { name: `job-${index}`, namespace: 'shop' }
      const object = applyDefaults({ ...kronJobManifest({ schedule }), metadata })
      return compileKronJob(object).nextPeriod(Date.UTC(2026, 2, 1) - 1)
    })
    expect(nominals).toEqual(minutes.map((minute) => Date.UTC(2026, 2, 1, 0, minute)))
  })
})
