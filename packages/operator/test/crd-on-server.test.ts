import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { PlaneAccess } from '../../../tools/kube/index.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../tools/kube/shared.ts'
import { applyDefaults, checkKronJob, type KronJob, kronJobCrd } from '../src/kronjob/index.js'
import { manifestSchema } from '../src/kronjob/manifest/manifest-schema.js'
import { pathText } from '../src/kronjob/manifest/problem.js'
import { schemaProblems } from '../src/kronjob/manifest/schema-problems.js'
import { jobTemplate, kronJobManifest } from './kron-job-manifest.js'

const manifests = fileURLToPath(new URL('../../../deploy/kubernetes/', import.meta.url))

interface Verdict {
  readonly status: number
  /** Fields that the server blames. */
  readonly fields: readonly string[]
  /** Its words for each of them. */
  readonly messages: readonly string[]
  readonly object: KronJob
}

interface Cause {
  readonly field: string
  readonly message: string
}

/** One that is not says that rules were not checked, since the types of fields are wrong already. */
const isAboutField = ({ field }: Cause): boolean => field !== '<nil>'

describe.skipIf(controlPlaneAbsent())('KronJob on a server', () => {
  let plane: PlaneAccess

  beforeAll(async () => {
    plane = await sharedControlPlane()
  })

  /** What the server makes of an object, without keeping it. */
  async function tried(spec: object): Promise<Verdict> {
    const path = '/apis/kron.io/v1alpha1/namespaces/default/kronjobs?dryRun=All'
    const manifest = { ...inDefault(), spec: { ...kronJobManifest().spec, ...spec } }
    const { status, body } = await plane.client.send('POST', path, manifest)
    const object = JSON.parse(body)
    const causes: Cause[] = (object.details?.causes ?? []).filter(isAboutField)
    const [fields, messages] = [causes.map((one) => one.field), causes.map((one) => one.message)]
    return { status, fields, messages, object }
  }

  const inDefault = () => ({ ...kronJobManifest(), metadata: { name: 'a', namespace: 'default' } })

  it('is served, with a schema that is structural', async () => {
    const { name } = kronJobCrd.metadata
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`
    const { status } = await plane.client.demand<{ status: { conditions: Condition[] } }>(
      'GET',
      path,
    )
    const conditions = Object.fromEntries(status.conditions.map((one) => [one.type, one.status]))
    expect(conditions).toEqual({ NamesAccepted: 'True', Established: 'True' })
  })

  interface Condition {
    readonly type: string
    readonly status: string
  }

  it.each<[string, object]>([
    ['nothing but what is required', {}],
    ['some of it', { window: { duration: '3h' }, policy: {}, seed: { salt: 'x' } }],
    ['nulls', { window: null, timezone: null, distribution: { name: null, params: null } }],
    ['parameters', { distribution: { name: 'skewEarly', params: { shape: 2.5 } } }],
    ['a parameter that is text', { distribution: { name: 'skewEarly', params: { shape: '2.5' } } }],
    ['a parameter that does not exist', { distribution: { params: { shpae: 1 } } }],
    [
      'fields of Pods that the schema does not know',
      { jobTemplate: jobTemplate({ futureField: [{ a: null }], hostUsers: false }) },
    ],
  ])('has the same defaults there as here, given %s', async (_, spec) => {
    const { status, object } = await tried(spec)
    expect(status).toBe(201)
    const manifest = { ...inDefault(), spec: { ...kronJobManifest().spec, ...spec } }
    expect(object.spec).toEqual(applyDefaults(manifest).spec)
  })

  it.each<[field: string, spec: object]>([
    ['spec.schedule', { schedule: null }],
    ['spec.schedule', { schedule: 5 }],
    ['spec.window', { window: 'after' }],
    ['spec.window.mode', { window: { mode: 'before' } }],
    ['spec.window.duration', { window: { duration: 3 } }],
    ['spec.distribution.name', { distribution: { name: 'norm' } }],
    ['spec.distribution.params.shape', { distribution: { params: { shape: 0 } } }],
    ['spec.distribution.params.shape', { distribution: { params: { shape: 1001 } } }],
    ['spec.distribution.params.shape', { distribution: { params: { shape: 'x' } } }],
    ['spec.distribution.params.mu', { distribution: { params: { mu: 'center' } } }],
    ['spec.seed.strategy', { seed: { strategy: 'hourly' } }],
    ['spec.seed.salt', { seed: { salt: 'x'.repeat(1025) } }],
    ['spec.constraints.avoid', { constraints: { avoid: Array(65).fill('hours=8') } }],
    ['spec.policy.concurrency', { policy: { concurrency: 'Forbid' } }],
    ['spec.policy.suspend', { policy: { suspend: 'yes' } }],
    ['spec.successfulJobsHistoryLimit', { successfulJobsHistoryLimit: -1 }],
    ['spec.failedJobsHistoryLimit', { failedJobsHistoryLimit: 3_000_000_000 }],
    ['spec.jobTemplate', { jobTemplate: null }],
    ['spec.jobTemplate.spec.template', { jobTemplate: { spec: {} } }],
    [
      'spec.jobTemplate.spec.template.spec.restartPolicy',
      { jobTemplate: jobTemplate({ restartPolicy: 'Always' }) },
    ],
    [
      'spec.jobTemplate.spec.template.spec.restartPolicy',
      { jobTemplate: jobTemplate({ restartPolicy: null }) },
    ],
    [
      'spec.jobTemplate.spec.template.spec.containers',
      { jobTemplate: jobTemplate({ containers: [] }) },
    ],
  ])('is refused there and here, with %s to blame for %j', async (field, spec) => {
    const { status, fields } = await tried(spec)
    expect(status).toBe(422)
    expect(fields).not.toEqual([])
    expect(fields.filter((blamed) => !blamed.startsWith(field))).toEqual([])
    const manifest = { ...inDefault(), spec: { ...kronJobManifest().spec, ...spec } }
    const ours = schemaProblems(applyDefaults(manifest), manifestSchema, [])
    expect(ours.map(({ path }) => pathText(path).replace(/\[\d+\]$/, ''))).toEqual([field])
    expect(checkKronJob(manifest).length).toBeGreaterThan(0)
  })

  it.each<[field: string, words: string, spec: object]>([
    ['spec.schedule', 'must have five fields', { schedule: '0 2 * *' }],
    ['spec.schedule', 'hours are 0 to 23', { schedule: '0 24 * * *' }],
    ['spec.schedule', 'the macros are @hourly, @daily', { schedule: '@fortnightly' }],
    ['spec.timezone', 'must be the name of an IANA time zone', { timezone: 'Europe/Pari' }],
    ['spec.window.duration', 'must be a duration of 0s or more', { window: { duration: '3d' } }],
    ['spec.window.duration', 'must be a duration of 0s or more', { window: { duration: '-3h' } }],
    ['spec.window.duration', 'must be at most 8784h', { window: { duration: '8785h' } }],
    ['spec.policy.deadline', 'must be at most', { policy: { deadline: '99999h' } }],
    [
      'spec.distribution.params.sigma',
      'must be above 0s',
      { distribution: { name: 'normal', params: { sigma: '0s' } } },
    ],
    [
      'spec.distribution',
      'mu is a parameter of normal only',
      { distribution: { name: 'uniform', params: { mu: 'mid' } } },
    ],
    [
      'spec.distribution',
      'dir is a parameter of exponential only',
      { distribution: { name: 'normal', params: { dir: 'early' } } },
    ],
    ['spec.constraints.only[0]', 'clauses are hours=', { constraints: { only: ['hour=8'] } }],
    ['spec.constraints.only[0]', 'clauses are hours=', { constraints: { only: ['hours'] } }],
    ['spec.constraints.avoid[0]', 'hours are 0 to 23', { constraints: { avoid: ['hours=24'] } }],
    ['spec.constraints.only[0]', 'months are 1 to 12', { constraints: { only: ['months=13'] } }],
    [
      'spec.constraints.only[1]',
      'times are 00:00 to 23:59',
      { constraints: { only: ['dow=MON-FRI', 'hours=8-18; between=8-9'] } },
    ],
    [
      'spec.constraints',
      'only and avoid may have at most 64 clauses together',
      { constraints: { only: Array(40).fill('hours=8'), avoid: Array(40).fill('hours=9') } },
    ],
  ])('is refused by a rule, with words: %s %s', async (field, words, spec) => {
    const { status, fields, messages } = await tried(spec)
    expect(status).toBe(422)
    expect(fields).toEqual([field])
    expect(messages[0]).toContain(words)
    const manifest = { ...inDefault(), spec: { ...kronJobManifest().spec, ...spec } }
    expect(checkKronJob(manifest).length).toBeGreaterThan(0)
  })

  it('shows in a table when it ran and when it runs next', async () => {
    const namespace = await plane.createNamespace()
    const manifest = kronJobManifest({ timezone: 'Europe/Paris', window: { duration: '3h' } })
    const path = `/apis/kron.io/v1alpha1/namespaces/${namespace}/kronjobs`
    await plane.client.demand('POST', path, { ...manifest, metadata: { name: 'backup' } })
    await plane.client.demand('PATCH', `${path}/backup/status`, {
      status: {
        activeCount: 1,
        lastChosenTime: new Date(Date.now() - 5 * 3_600_000).toISOString(),
        lastOutcome: 'executed',
        nextChosenTime: '2999-01-01T02:32:20Z',
      },
    })
    const { stdout } = await plane.kubectl(['-n', namespace, 'get', 'kj'])
    const [head, row] = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    expect(head!.join(' ')).toBe(
      'NAME SCHEDULE TIMEZONE WINDOW SUSPEND ACTIVE LAST OUTCOME NEXT AGE',
    )
    expect(row!.slice(0, -1).join(', ')).toBe(
      'backup, 0 2 * * *, Europe/Paris, 3h, false, 1, 5h, executed, 2999-01-01T02:32:20Z',
    )
  })

  it.each([
    ['kronjob.spec', 'schedule: "0 2 * * *"'],
    ['kronjob.spec.window', 'Default: after.'],
    ['kronjob.spec.distribution.params', 'sigma: 20m'],
    ['kronjob.spec.constraints.only', 'dow=MON-FRI'],
    ['kronjob.status.conditions', 'InvalidSpec'],
  ])('is explained by kubectl explain %s', async (path, text) => {
    // A server tells clients of a new kind a while after it knows it.
    await vi.waitFor(
      async () => {
        const { stdout } = await plane.kubectl(['explain', path])
        expect(stdout).toContain(text)
      },
      { timeout: 60_000, interval: 500 },
    )
  })

  it('is installed by plain kubectl apply', async () => {
    const input = readFileSync(`${manifests}crd.yaml`, 'utf8')
    const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('kronjobs.kron.io') })
  })

  it.each(['operator', 'operator-namespaced', 'user-roles'])(
    'gets along with %s.yaml',
    async (name) => {
      const namespace = await plane.createNamespace('manifests')
      const text = readFileSync(`${manifests}${name}.yaml`, 'utf8')
      const input = text.replaceAll('kron-system', namespace)
      const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })
      expect(applied.code, applied.stderr).toBe(0)
    },
  )
})
