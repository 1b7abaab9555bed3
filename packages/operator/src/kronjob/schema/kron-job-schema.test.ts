import { describe, expect, it } from 'vitest'
import { jobTemplate, kronJobManifest } from '../../../test/kron-job-manifest.js'
import { applyDefaults } from './kron-job-schema.js'

describe('applyDefaults', () => {
  it('fills in what an API server fills in', () => {
    expect(applyDefaults(kronJobManifest()).spec).toEqual({
      schedule: '0 2 * * *',
      timezone: 'UTC',
      window: { mode: 'after', duration: '0s' },
      distribution: { name: 'uniform' },
      seed: { strategy: 'stable', salt: '' },
      constraints: { only: [], avoid: [] },
      policy: { concurrency: 'forbid', deadline: '0s', suspend: false, first: 'wait' },
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: jobTemplate(),
    })
  })

  it('leaves what is said, and the object that it was given', () => {
    const manifest = kronJobManifest({ window: { duration: '3h' }, failedJobsHistoryLimit: 0 })
    const before = structuredClone(manifest)
    const { spec } = applyDefaults(manifest)
    expect(spec.window).toEqual({ mode: 'after', duration: '3h' })
    expect(spec.failedJobsHistoryLimit).toBe(0)
    expect(manifest).toEqual(before)
  })

  it('takes a null for nothing, and keeps those of a template', () => {
    const spec = { ...kronJobManifest().spec, timezone: null, seed: null, schedule: null }
    const given = { spec: { ...spec, jobTemplate: jobTemplate({ tolerations: null }) } }
    const result = applyDefaults<{ spec: Record<string, unknown> }>(given).spec
    expect(result['timezone']).toBe('UTC')
    expect(result['seed']).toEqual({ strategy: 'stable', salt: '' })
    expect('schedule' in result).toBe(false)
    expect(result['jobTemplate']).toEqual(jobTemplate({ tolerations: null }))
  })

  it('gives each object defaults of its own', () => {
    const [a, b] = [applyDefaults(kronJobManifest()), applyDefaults(kronJobManifest())]
    expect(a.spec.constraints).not.toBe(b.spec.constraints)
    expect(a.spec.constraints!.only).not.toBe(b.spec.constraints!.only)
  })
})
