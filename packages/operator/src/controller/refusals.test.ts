import { afterEach, describe, expect, it } from 'vitest'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi, FaultyKubeApi } from '../../testing/kube-api/index.js'
import { ApiFailure, events, jobs, type KubeApi } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

function cluster(options: VirtualClusterOptions): VirtualCluster {
  const made = new VirtualCluster(options)
  stop = made.startController().stop
  return made
}

const forbidden = (message: string): ApiFailure =>
  new ApiFailure(message, { status: 403, reason: 'Forbidden' })

const quota = 'jobs.batch "backup-1" is forbidden: exceeded quota: jobs, requested: count/jobs=1'
const rights = 'jobs.batch is forbidden: User "kron" cannot create resource "jobs"'
const denied = 'admission webhook "images.example.com" denied the request: no digest'
const broken = 'Internal error occurred: failed calling webhook "images.example.com": refused'

const refusals: readonly (readonly [string, ApiFailure, string])[] = [
  ['a quota', forbidden(quota), 'Forbidden'],
  ['a right that is missing', forbidden(rights), 'Forbidden'],
  ['a webhook', forbidden(denied), 'WebhookDenied'],
  ['a webhook that gives no status', new ApiFailure(denied, { status: 400 }), 'WebhookDenied'],
  ['a webhook that can not be called', new ApiFailure(broken, { status: 500 }), 'WebhookFailed'],
]

describe.each(refusals)('a Job that is refused by %s', (_, refusal, reason) => {
  it('is reported as a warning, once, and in a condition', async () => {
    const c = cluster({ refusal: () => refusal })
    c.apply('backup', { policy: { deadline: '40m' } })
    await c.until('10:30:00')
    const refused = c.api.objects.all(events).filter((event) => event['reason'] === 'JobRefused')
    expect(refused).toMatchObject([
      {
        type: 'Warning',
        message: `period 2026-03-01T10:00:00Z can't be started: ${refusal.message}`,
      },
    ])
    expect(c.condition('backup', 'SchedulingError')).toMatchObject({ status: 'True', reason })
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'False', reason })
  })

  it('is why its period is missed, when the deadline has passed and not later', async () => {
    const c = cluster({ refusal: () => refusal })
    c.apply('backup', { policy: { deadline: '20s' } })
    await c.until('10:00:20')
    expect(c.status('backup').lastOutcome).toBeUndefined()
    await c.until('10:00:21')
    await c.clock.advanceBy(10)
    expect(c.status('backup')).toMatchObject({
      lastOutcome: 'missed',
      lastReason: `21s late, deadline 20s; refused: ${refusal.message}`,
    })
    expect(c.messages()).toContainEqual(
      expect.stringMatching(/^MissedDeadline: period .* 20s; refused: /),
    )
  })
})

describe('a refusal', () => {
  it('that lasts is told again after an hour, when its event has gone', async () => {
    const c = cluster({ refusal: () => forbidden(quota) })
    c.apply('backup', { schedule: '0 10 * * *', policy: { deadline: '12h' } })
    await c.until('12:30:00')
    expect(c.told()).toEqual(['JobRefused', 'JobRefused', 'JobRefused'])
  })

  it('that ends lets the period start', async () => {
    const end = Date.UTC(2026, 2, 1, 10, 3)
    const c = cluster({ refusal: (now) => (now < end ? forbidden(quota) : null) })
    c.apply('backup', { policy: { deadline: '10m' } })
    await c.until('10:10:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(c.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('of a deletion that is to make room is told too', async () => {
    const through = (api: KubeApi): KubeApi =>
      changedKubeApi(api, {
        delete: () => Promise.reject(forbidden('jobs.batch "backup" is forbidden: no right')),
      })
    const c = cluster({ fateOf: () => null, through })
    c.apply('backup', { schedule: '*/10 * * * *', policy: { concurrency: 'replace' } })
    await c.until('10:12:00')
    expect(c.messages()).toContain(
      `JobRefused: period 2026-03-01T10:10:00Z can't be started: ` +
        'jobs.batch "backup" is forbidden: no right',
    )
    expect(c.status('backup').lastReason).toMatch(/^1m late, deadline 0s; refused: .*no right$/)
  })
})

describe('a try that failed', () => {
  it('is not made again beyond the deadline, however long the server asks to wait', async () => {
    const throttled = { status: 429, reason: 'TooManyRequests', retryAfterMs: 60_000 }
    const c = cluster({ refusal: () => new ApiFailure('too many requests', throttled) })
    c.apply('backup', { policy: { deadline: '10s' } })
    await c.until('10:00:12')
    expect(c.status('backup')).toMatchObject({
      lastOutcome: 'missed',
      lastReason: '11s late, deadline 10s; refused: too many requests',
    })
  })

  it('says that nobody answered, if nobody did', async () => {
    const c = cluster({
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, {
          fault: 'cut',
          call: 1,
          of: ({ verb, resource }) => verb === 'create' && resource === jobs,
          forever: true,
        }),
    })
    c.apply('backup')
    await c.until('10:02:00')
    expect(c.status('backup').lastReason).toMatch(
      /late, deadline 0s; no answer: the connection was reset$/,
    )
  })
})
