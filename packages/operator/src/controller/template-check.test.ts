import { afterEach, describe, expect, it } from 'vitest'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi, FaultyKubeApi } from '../../testing/kube-api/index.js'
import { ApiFailure, type KubeApi } from '../kube/index.js'

let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

const prefix = 'Job in version "v1" cannot be handled as a Job: '
const misspelt = `${prefix}strict decoding error: unknown field "spec.template.spec.container"`
const wrongText = 'json: cannot unmarshal number into Go struct field EnvVar.value of type string'
const invalid = 'Job.batch "backup-check" is invalid: spec.template.spec.containers: Required value'

const badRequest = (message: string): ApiFailure =>
  new ApiFailure(message, { status: 400, reason: 'BadRequest' })
const unprocessable = (message: string): ApiFailure =>
  new ApiFailure(message, { status: 422, reason: 'Invalid' })

/** An API server that has this against each template, until it has nothing. */
class Checking {
  readonly cluster: VirtualCluster
  asked = 0
  readonly #warnings: readonly string[]

  constructor(flaw: (asked: number) => ApiFailure | null, warnings: readonly string[] = []) {
    this.#warnings = warnings
    const through = (api: KubeApi): KubeApi => ({
      list: (...asked) => api.list(...asked),
      watch: (...asked) => api.watch(...asked),
      get: (...asked) => api.get(...asked),
      create: (...asked) => api.create(...asked),
      tryCreate: async (...asked) => {
        const failure = flaw(++this.asked)
        if (failure !== null) throw failure
        await api.tryCreate(...asked)
        return this.#warnings
      },
      replace: (...asked) => api.replace(...asked),
      patch: (...asked) => api.patch(...asked),
      delete: (...asked) => api.delete(...asked),
    })
    this.cluster = new VirtualCluster({
      fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
      through,
    })
    stop = this.cluster.startController().stop
  }

  async handOver(): Promise<void> {
    await stop()
    stop = this.cluster.startController().stop
  }
}

const flaws: readonly (readonly [string, ApiFailure, string, string])[] = [
  [
    'a misspelt field',
    badRequest(misspelt),
    'JobTemplateUnknownField',
    'jobTemplate: strict decoding error: unknown field "spec.template.spec.container"; ' +
      'Jobs are created without this field',
  ],
  [
    'a number where text belongs',
    badRequest(`${prefix}${wrongText}`),
    'JobTemplateInvalid',
    `jobTemplate: ${wrongText}`,
  ],
  [
    'what the server finds invalid',
    unprocessable(invalid),
    'JobTemplateInvalid',
    'jobTemplate: spec.template.spec.containers: Required value',
  ],
]

describe.each(flaws)('a template with %s', (_, failure, reason, message) => {
  it('is reported when it is applied, before any period is due', async () => {
    const { cluster } = new Checking(() => failure)
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('09:59:31')
    const told = { reason, message }
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject({ status: 'True', ...told })
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'False', ...told })
    expect(cluster.messages()).toEqual([`InvalidSpec: ${message}`])
  })

  it('is asked about once for each generation, by the leader', async () => {
    const checking = new Checking(() => failure)
    const { cluster } = checking
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('10:30:00')
    await checking.handOver()
    await cluster.until('11:30:00')
    expect(checking.asked).toBe(1)
    expect(cluster.status('backup')).toMatchObject({ checkedGeneration: 1 })
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'False', reason })
    cluster.change('backup', { successfulJobsHistoryLimit: 7 })
    await cluster.until('11:31:00')
    expect(checking.asked).toBe(2)
    expect(cluster.status('backup')).toMatchObject({ checkedGeneration: 2 })
  })

  it('is ready when it is mended', async () => {
    const { cluster } = new Checking((asked) => (asked === 1 ? failure : null))
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('10:00:00')
    cluster.change('backup', { jobTemplate: { metadata: { labels: { mended: 'yes' } } } })
    await cluster.until('10:00:01')
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject({ status: 'False' })
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('is logged as the mistake that it is', async () => {
    const { cluster } = new Checking(() => failure)
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('10:30:00')
    expect(cluster.logged('error')).toMatchObject([
      {
        identity: 'default/backup',
        operation: 'check_template',
        error_type: failure.status === 400 ? 'ConfigurationError' : 'ValidationError',
        code: 'KRON_TEMPLATE_INVALID',
        message,
      },
    ])
  })
})

describe('a template that was checked', () => {
  it('says so in its first status', async () => {
    const { cluster } = new Checking(() => null)
    const { resourceVersion } = cluster.apply('backup', { schedule: '0 0 1 1 *' }).metadata
    await cluster.until('10:30:00')
    expect(cluster.status('backup')).toMatchObject({ checkedGeneration: 1 })
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(Number(cluster.kronJob('backup').metadata.resourceVersion)).toBe(
      Number(resourceVersion) + 1,
    )
  })

  it('keeps an unknown field in sight though Jobs are created without this field', async () => {
    const { cluster } = new Checking(() => badRequest(misspelt))
    cluster.apply('backup')
    await cluster.until('10:01:00')
    expect(cluster.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject({ status: 'True' })
  })

  it('is right after all once a Job of it was created', async () => {
    const { cluster } = new Checking(() => unprocessable(invalid))
    cluster.apply('backup')
    await cluster.until('10:01:00')
    expect(cluster.periods()).toEqual(['2026-03-01T10:00:00Z'])
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })
})

describe('a template that the server only warns of', () => {
  const warning = 'would violate PodSecurity "restricted:latest": runAsNonRoot != true'

  it('is ready, and says so in an event and beside its condition', async () => {
    const checking = new Checking(() => null, [warning])
    const { cluster } = checking
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('10:00:00')
    const valid = {
      status: 'False',
      reason: 'ValidWithWarnings',
      message: `jobTemplate: ${warning}`,
    }
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject(valid)
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(cluster.messages()).toEqual([`TemplateWarning: jobTemplate: ${warning}`])
    await checking.handOver()
    await cluster.until('11:00:00')
    expect(checking.asked).toBe(1)
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject(valid)
  })
})

const passing: readonly (readonly [string, ApiFailure])[] = [
  ['a quota', new ApiFailure('exceeded quota', { status: 403, reason: 'Forbidden' })],
  ['a right that is missing', new ApiFailure('cannot create', { status: 403 })],
  [
    'a webhook that denies it',
    badRequest('admission webhook "a.example.com" denied the request: no'),
  ],
  [
    'a webhook that can not be called',
    new ApiFailure('Internal error occurred: failed calling webhook "a"', { status: 500 }),
  ],
  ['a server that is overloaded', new ApiFailure('too many requests', { status: 429 })],
  ['no answer', new ApiFailure('no answer within 15000 ms', { status: null })],
]

describe.each(passing)('a check that fails for %s', (_, failure) => {
  it('says nothing against the template, and is repeated after growing waits', async () => {
    const checking = new Checking((asked) => (asked <= 4 ? failure : null))
    const { cluster } = checking
    cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await cluster.until('09:59:33')
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(cluster.status('backup')).not.toHaveProperty('checkedGeneration')
    await cluster.until('10:00:40')
    expect(checking.asked).toBe(4)
    await cluster.until('12:00:00')
    expect(checking.asked).toBe(5)
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(cluster.logged('error')).toHaveLength(1)
    expect(cluster.told()).toEqual([])
  })
})

describe('a check', () => {
  it('that a webhook does not support is given up', async () => {
    const unsupported = badRequest('admission webhook "a.example.com" does not support dry run')
    const checking = new Checking(() => unsupported)
    checking.cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await checking.cluster.until('12:00:00')
    expect(checking.asked).toBe(1)
    expect(checking.cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(checking.cluster.logged('error')).toEqual([])
  })

  it('of a name that is taken finds nothing', async () => {
    const taken = new ApiFailure('exists', { status: 409, reason: 'AlreadyExists' })
    const checking = new Checking(() => taken)
    checking.cluster.apply('backup', { schedule: '0 0 1 1 *' })
    await checking.cluster.until('12:00:00')
    expect(checking.asked).toBe(1)
    expect(checking.cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
    expect(checking.cluster.told()).toEqual([])
  })

  it('is not made of what can not be scheduled, which says so at once', async () => {
    const checking = new Checking(() => null)
    const { cluster } = checking
    cluster.apply('backup', { timezone: 'Europe/Pariss' })
    await cluster.clock.advanceBy(100)
    expect(cluster.condition('backup', 'InvalidSpec')).toMatchObject({ status: 'True' })
    await cluster.until('10:40:00')
    expect(checking.asked).toBe(0)
    expect(cluster.told()).toEqual(['InvalidSpec'])
  })

  it('says nothing of a template that was edited while it was made', async () => {
    const cluster = new VirtualCluster({
      through: (api, clock) =>
        changedKubeApi(api, {
          tryCreate: async (...asked) => {
            const isFirst = clock.now().getTime() < Date.UTC(2026, 2, 1, 9, 59, 31)
            await clock.sleep(2000)
            if (isFirst) throw unprocessable(invalid)
            return api.tryCreate(...asked)
          },
        }),
    })
    cluster.startController()
    cluster.apply('backup')
    await cluster.until('09:59:31')
    cluster.change('backup', { successfulJobsHistoryLimit: 5 })
    await cluster.until('09:59:40')
    expect(cluster.told()).toEqual([])
    expect(cluster.condition('backup', 'Ready')).toMatchObject({ status: 'True' })
  })

  it('that hangs holds up neither Jobs nor, for long, the status', async () => {
    const cluster = new VirtualCluster({
      fateOf: () => ({ outcome: 'complete', afterMs: 1000 }),
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, {
          fault: { kind: 'timed-out', timeoutMs: 60_000 },
          call: 1,
          of: ({ verb }) => verb === 'tryCreate',
          forever: true,
        }),
    })
    stop = cluster.startController().stop
    for (let number = 0; number < 100; number++) cluster.apply(`job-${number}`)
    await cluster.until('09:59:40')
    expect(cluster.condition('job-99', 'Ready')).toMatchObject({ status: 'True' })
    await cluster.until('10:00:10')
    expect(cluster.jobs()).toHaveLength(100)
  })
})
