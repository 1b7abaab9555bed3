import { describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { MortalKubeApi } from '../../testing/kube-api/index.js'
import { kronJobs } from '../kube/index.js'

const daily = (schedule: string, first?: string) => ({
  schedule,
  policy: { deadline: '24h', ...(first !== undefined && { first }) },
})

/** With a controller; 'backup' was to run at 18:00, and has never run. */
async function edited(time = '10:12:00'): Promise<VirtualCluster> {
  const c = new VirtualCluster()
  c.startController()
  c.apply('backup', daily('0 18 * * *'))
  await c.until(time)
  return c
}

const setStatus = (c: VirtualCluster, status: object | null): void => {
  const backup = { namespace: 'default', name: 'backup' }
  c.api.objects.patch(kronJobs, backup, { status }, { subresource: 'status' })
}

describe('an edited timing', () => {
  it.each([
    ['schedule', { schedule: '10 10 * * *' }],
    ['timezone', { schedule: '10 11 * * *', timezone: 'Europe/Paris' }],
    [
      'window',
      { schedule: '0 10 * * *', window: { mode: 'after', duration: '10m' }, seed: { salt: 'x' } },
    ],
  ])('(%s) starts nothing for a time that had passed', async (_, spec) => {
    const c = await edited()
    c.change('backup', spec)
    await c.until('23:59:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup')).toMatchObject({
      observedGeneration: 2,
      responsibleSince: '2026-03-01T10:12:00Z',
      nextPeriodID: expect.stringMatching(/^2026-03-02T10:/),
    })
    expect(c.status('backup').lastPeriodID).toBeUndefined()
    await c.until('2026-03-02T10:30:00Z')
    expect(c.jobs()).toHaveLength(1)
  })

  it('says so once: in the log, and as an event if it would have run', async () => {
    const c = await edited()
    c.change('backup', { schedule: '10 10 * * *' })
    await c.until('10:20:00')
    expect(c.logged('not_responsible')).toMatchObject([
      // Yesterday's, when it was created.
      { period_id: '2026-02-28T18:00:00Z', responsible_since: '2026-03-01T09:59:31Z' },
      {
        level: 'info',
        identity: 'default/backup',
        period_id: '2026-03-01T10:10:00Z',
        responsible_since: '2026-03-01T10:12:00Z',
      },
    ])
    expect(c.messages()).toContain(
      'NotResponsible: period 2026-03-01T10:10:00Z is not started: it was due before this KronJob ' +
        'had its current schedule, and policy.first is wait',
    )
  })

  it('runs at once if policy.first is run', async () => {
    const c = await edited()
    c.change('backup', daily('10 10 * * *', 'run'))
    await c.until('10:12:10')
    expect(c.periods()).toEqual(['2026-03-01T10:10:00Z'])
  })

  it('is that of the one edit that changed it: policies and templates do not move it', async () => {
    const c = await edited()
    c.change('backup', { schedule: '0,30 * * * *' })
    await c.until('10:29:00')
    c.change('backup', { policy: { suspend: true } })
    await c.until('10:31:00')
    c.change('backup', { policy: { suspend: false, deadline: '20m', concurrency: 'allow' } })
    c.change('backup', { successfulJobsHistoryLimit: 1 })
    await c.until('10:31:10')
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:12:00Z')
    expect(c.periods()).toEqual(['2026-03-01T10:30:00Z'])
  })

  it('counts from the correction if it was invalid in between', async () => {
    const c = await edited()
    c.change('backup', { schedule: '10 10 * * *', timezone: 'Europe/Pariss' })
    await c.until('10:20:00')
    c.change('backup', { timezone: 'UTC' })
    await c.until('10:30:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:20:00Z')
  })
})

describe('who dies between seeing an edit and writing the status', () => {
  it('leaves the edit to a successor, which starts nothing that had passed either', async () => {
    const c = new VirtualCluster()
    const mortal = new MortalKubeApi(c.api)
    c.startController({ api: mortal })
    c.apply('backup', daily('0 18 * * *'))
    await c.until('10:12:00')
    mortal.dieAt(mortal.calls.length + 1, 'before')
    c.change('backup', { schedule: '10 10 * * *' })
    await c.until('10:12:15')
    expect(mortal.isDead).toBe(true)
    expect(c.status('backup').observedGeneration).toBe(1)
    c.startController()
    await c.until('18:00:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:12:15Z')
  })

  it('leaves a Job that it created before, which is not created again', async () => {
    const c = new VirtualCluster()
    const mortal = new MortalKubeApi(c.api)
    c.startController({ api: mortal })
    c.apply('backup', daily('0 18 * * *'))
    await c.until('10:12:00')
    // The Job is due in the second of the edit: it is created before any status tells of that.
    mortal.dieAt(mortal.calls.length + 1, 'after')
    c.change('backup', { schedule: '12 10 * * *' })
    await c.until('10:12:15')
    expect(c.periods()).toEqual(['2026-03-01T10:12:00Z'])
    c.startController()
    await c.until('23:00:00')
    expect(c.world.runs).toHaveLength(1)
    expect(c.status('backup').lastPeriodID).toBe('2026-03-01T10:12:00Z')
  })
})

describe('a status that is erased', () => {
  it('is written again as it was by the leader that knew it', async () => {
    const c = await edited()
    c.change('backup', { schedule: '10 10 * * *' })
    await c.until('11:00:00')
    c.eraseStatus('backup')
    await c.until('12:00:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:12:00Z')
  })

  it('makes a new leader count from now on if the specification was ever edited', async () => {
    const c = new VirtualCluster()
    const first = c.startController()
    c.apply('backup', daily('0 18 * * *'))
    await c.until('10:12:00')
    c.change('backup', { schedule: '10 10 * * *' })
    await c.until('11:00:00')
    await first.stop()
    c.eraseStatus('backup')
    c.startController()
    await c.until('12:00:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T11:00:00Z')
  })

  it('loses no period of one that was never edited', async () => {
    const c = new VirtualCluster()
    c.apply('backup', daily('0 10 * * *'))
    await c.until('11:00:00')
    c.startController()
    await c.until('11:00:10')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
  })
})

describe('two that both believe they lead', () => {
  it('agree on when an edit was seen', async () => {
    const c = await edited()
    c.startController()
    await c.until('10:13:00')
    c.change('backup', { schedule: '10 10 * * *' })
    await c.until('10:20:00')
    const { resourceVersion } = c.kronJob('backup').metadata
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:13:00Z')
    await c.until('18:00:00')
    expect(c.kronJob('backup').metadata.resourceVersion).toBe(resourceVersion)
    expect(c.jobs()).toEqual([])
  })
})

describe('a status of an older version', () => {
  const older = { observedGeneration: 1, lastPeriodID: '2026-03-01T09:00:00Z' }

  it.each([
    ['counts from its last handled period on', older, ['2026-03-01T11:00:00Z']],
    ['counts from now on if it has none', { observedGeneration: 1 }, []],
    ['counts from now on if it was edited since', { ...older, observedGeneration: 0 }, []],
  ])('%s', async (_, status, started) => {
    const c = new VirtualCluster()
    c.apply('backup', { schedule: '0 9,11 * * *', policy: { deadline: '24h' } })
    setStatus(c, status)
    await c.until('11:30:00')
    c.startController()
    await c.until('12:00:00')
    expect(c.periods()).toEqual(started)
    const since = started.length > 0 ? '2026-03-01T09:00:00Z' : '2026-03-01T11:30:00Z'
    expect(c.status('backup').responsibleSince).toBe(since)
  })
})

describe('a last period in the future, as an older version took it from a foreign mark', () => {
  it('lets the KronJob go on once it is erased', async () => {
    const c = new VirtualCluster()
    c.apply('backup')
    setStatus(c, { observedGeneration: 1, lastPeriodID: '2099-01-01T00:00:00Z' })
    c.startController()
    await c.until('10:30:00')
    expect(c.jobs()).toEqual([])
    setStatus(c, { lastPeriodID: null })
    await c.until('11:00:10')
    expect(c.periods()).toEqual(['2026-03-01T11:00:00Z'])
  })
})

describe('a KronJob that is new', () => {
  it.each([
    ['does not run the period of the second in which it is applied', 'wait', 400, []],
    ['does not run the period of the moment in which it is applied', 'wait', 0, []],
    ['runs it if policy.first is run', 'run', 400, ['2026-03-01T10:00:00Z']],
  ])('%s', async (_, first, ms, periods) => {
    const c = new VirtualCluster({ at: Date.UTC(2026, 2, 1, 10, 0, 0, ms) })
    c.startController()
    c.apply('backup', { policy: { deadline: '30m', first } })
    await c.until('10:59:00')
    expect(c.periods()).toEqual(periods)
    expect(c.status('backup').responsibleSince).toBe('2026-03-01T10:00:01Z')
  })
})
