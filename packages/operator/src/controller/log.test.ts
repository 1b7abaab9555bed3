import { tzdataVersion } from '@kron/core'
import { afterEach, describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi } from '../../testing/kube-api/index.js'
import { compileKronJob } from '../kronjob/index.js'
import { ApiFailure, type KubeApi } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

function cluster(options: VirtualClusterOptions = {}): VirtualCluster {
  const made = new VirtualCluster(options)
  stop = made.startController().stop
  return made
}

const about = { component: 'kron-operator', identity: 'default/backup' }
const ten = '2026-03-01T10:00:00Z'

describe('the log of a controller', () => {
  it('has all of a decision, so that anybody can make it again', async () => {
    const c = cluster()
    c.apply('backup', {
      timezone: 'Asia/Kolkata',
      schedule: '30 15 * * *',
      window: { mode: 'after', duration: '30m' },
      distribution: { name: 'skewLate', params: { shape: 3 } },
      seed: { strategy: 'daily', salt: 'x' },
      constraints: { avoid: ['hours=4'] },
    })
    await c.until('10:00:00')
    const job = compileKronJob(c.kronJob('backup'))
    const decision = job.decide(Date.parse(ten))
    expect(c.logged('decision').at(-1)).toMatchObject({
      ...about,
      level: 'info',
      period_id: ten,
      schedule: expect.stringMatching(/^30 15 \* \* \* @tz\(Asia\/Kolkata\) @win\(after,30m\) /),
      nominal_time: ten,
      window_start: ten,
      window_end: '2026-03-01T10:30:00Z',
      chosen_time: new Date(decision.chosenTime!).toISOString().replace('.000', ''),
      timezone: 'Asia/Kolkata',
      tzdata: tzdataVersion,
      distribution: { name: 'skewLate', params: { shape: 3 } },
      seed_strategy: 'daily',
      salt: 'x',
      seed_hash: decision.seedHash,
      attempts: 1,
      constraints_applied: { only: [], avoid: ['hours=4'] },
    })
  })

  it.each([
    [
      'missed at INFO',
      { schedule: '59 9 * * *', policy: { first: 'run' } },
      { level: 'info', event: 'missed_deadline', outcome: 'missed', reason: /late, deadline 0s/ },
      '2026-03-01T09:59:00Z',
    ],
    [
      'unschedulable at WARN',
      { constraints: { only: ['hours=12'] } },
      {
        level: 'warn',
        event: 'constraint_unsatisfiable',
        outcome: 'unschedulable',
        reason: /no c/,
      },
      ten,
    ],
  ] as const)('has a period as %s, with its reason', async (_, spec, said, period_id) => {
    const c = cluster()
    c.apply('backup', spec as never)
    await c.until('10:00:10')
    const reason = expect.stringMatching(said.reason)
    expect(c.logged(said.event)).toMatchObject([{ ...about, ...said, reason, period_id }])
    expect(c.logged('error')).toEqual([])
  })

  it.each([
    ['a Job that succeeded at INFO', 'complete', { level: 'info', result: 'succeeded' }],
    [
      'a Job that failed as an error',
      'fail',
      {
        level: 'error',
        result: 'failed',
        error_type: 'ExecutionError',
        operation: 'run_job',
        message: expect.stringMatching(/^Job backup-\S+ failed$/),
      },
    ],
  ] as const)('has the end of %s', async (_, outcome, said) => {
    const c = cluster({ fateOf: () => ({ outcome, afterMs: 5000 }) })
    c.apply('backup', { policy: { deadline: '30m' } })
    await c.until('10:30:00')
    const [{ time: _time, ...completed } = {}, ...more] = c.logged('completed')
    const job = c.jobs()[0]!.metadata.name
    expect(completed).toEqual({ ...about, event: 'completed', period_id: ten, job, ...said })
    expect(more).toEqual([])
    expect(c.jobs()).toHaveLength(1)
  })

  it('has a skipped period at INFO, with its reason', async () => {
    const c = cluster({ fateOf: () => null })
    c.apply('backup', { schedule: '* * * * *' })
    await c.until('10:01:10')
    expect(c.logged('skipped_concurrency')).toMatchObject([
      { ...about, level: 'info', outcome: 'skipped', reason: 'concurrency' },
    ])
    expect(c.logged('error')).toEqual([])
  })

  it.each([
    ['back at WARN', -600_000, 'warn'],
    ['forward at INFO', 600_000, 'info'],
  ])('has a clock that is set %s, and no error', async (_, jump_ms, level) => {
    const c = cluster()
    c.apply('backup')
    await c.until('10:05:00')
    c.clock.step(jump_ms)
    await c.clock.advanceBy(60_000)
    expect(c.logged('clock_jump')).toMatchObject([{ level, jump_ms }])
    expect(c.logged('error')).toEqual([])
  })

  it.each([
    ['a Job that can not be created', 'create', {}, ten],
    [
      'a Job that can not be ended for the next one',
      'delete',
      { schedule: '* * * * *', policy: { concurrency: 'replace', deadline: '30s' } },
      '2026-03-01T10:01:00Z',
    ],
  ] as const)('has an error with all its fields for %s', async (_, verb, spec, period_id) => {
    const refused = new ApiFailure('no right', { status: 403, reason: 'Forbidden' })
    const through = (api: KubeApi): KubeApi =>
      changedKubeApi(api, { [verb]: () => Promise.reject(refused) })
    const c = cluster({ fateOf: () => null, through })
    c.apply('backup', spec as never)
    await c.until('10:01:50')
    const errors = c.logged('error').filter((line) => line['period_id'] === period_id)
    expect(errors[0]).toMatchObject({
      ...about,
      level: 'error',
      error_type: 'SystemError',
      operation: 'create_job',
      message: 'no right',
    })
    const started = c.logged('started').map((line) => line['period_id'])
    expect(started).not.toContain(period_id)
  })
})
