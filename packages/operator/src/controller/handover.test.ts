import { describe, expect, it } from 'vitest'
import { overQuota } from '../../testing/cluster/scenarios.js'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { ApiFailure, kronJobs } from '../kube/index.js'

const invalidTemplate = (): ApiFailure =>
  new ApiFailure('Job.batch "backup" is invalid: spec.template: Required value', {
    status: 422,
    reason: 'Invalid',
  })

/** One leads until 10:30, and another one from then on. */
async function handedOver(refusal: () => ApiFailure, deadline = '0s') {
  let isRefused = true
  const c = new VirtualCluster({
    fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
    refusal: () => (isRefused ? refusal() : null),
  })
  const readiness: string[] = []
  const first = c.startController()
  c.apply('backup', { policy: { deadline } })
  await c.until('10:30:00')
  await first.stop()
  c.api.onChange(({ resource }) => {
    if (resource !== kronJobs) return
    const { status = '', reason = '' } = c.condition('backup', 'Ready') ?? {}
    readiness.push(`${status} ${reason}`)
  })
  c.startController()
  return { c, readiness, repair: () => (isRefused = false) }
}

describe('a new leader', () => {
  it.each([
    ['a quota', overQuota, 'SchedulingError', 'Forbidden', overQuota().message, '10:00:00'],
    [
      'an invalid template',
      invalidTemplate,
      'InvalidSpec',
      'JobTemplateInvalid',
      'jobTemplate: spec.template: Required value',
      '09:59:30',
    ],
  ] as const)('does not call ready what %s has broken', async (...given) => {
    const [, refusal, type, reason, message, since] = given
    const { c, readiness, repair } = await handedOver(refusal)
    await c.until('10:59:00')
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False', reason })
    expect(c.condition('backup', type)).toMatchObject({
      status: 'True',
      message,
      lastTransitionTime: `2026-03-01T${since}Z`,
    })
    await c.until('11:30:00')
    expect(readiness).not.toContain('True Scheduled')
    repair()
    await c.until('12:00:10')
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('keeps the time that the one before has chosen, however many come and go', async () => {
    const c = new VirtualCluster()
    let { stop } = c.startController()
    c.apply('backup', { window: { mode: 'after', duration: '50m' } })
    const chosen = new Set<string | undefined>()
    for (const time of ['09:59:40', '10:00:00', '10:00:02', '10:00:04']) {
      await c.until(time)
      chosen.add(c.status('backup').nextChosenTime)
      c.eraseStatus('backup')
      await stop()
      stop = c.startController().stop
    }
    await c.until('10:55:00')
    const created = c.jobs().map(({ metadata }) => metadata.creationTimestamp)
    expect([...chosen]).toEqual(created)
    expect(created).toHaveLength(1)
    await stop()
  })

  it('calls ready what was edited since', async () => {
    const { c, repair } = await handedOver(invalidTemplate)
    repair()
    c.change('backup', { successfulJobsHistoryLimit: 5 })
    await c.until('10:31:00')
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('that comes after the deadline says what the one before it was refused with', async () => {
    const c = new VirtualCluster({ refusal: overQuota })
    const first = c.startController()
    c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('10:00:30')
    await first.stop()
    await c.until('10:05:00')
    c.startController()
    await c.until('10:06:00')
    expect(c.status('backup')).toMatchObject({
      lastOutcome: 'missed',
      lastReason: `5m late, deadline 1m; refused: ${overQuota().message}`,
    })
  })

  it('does not blame an old refusal for a period that nobody tried', async () => {
    const c = new VirtualCluster({ refusal: overQuota })
    const first = c.startController()
    c.apply('backup')
    await c.until('10:30:00')
    await first.stop()
    await c.until('11:05:00')
    c.startController()
    await c.until('11:06:00')
    expect(c.status('backup')).toMatchObject({
      lastPeriodID: '2026-03-01T11:00:00Z',
      lastReason: '5m late, deadline 0s',
    })
  })
})
