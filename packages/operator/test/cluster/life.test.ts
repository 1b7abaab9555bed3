import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { eventually } from '../../../../tools/kube/waiting.ts'
import type { KubeObject } from '../../src/kube/index.js'
import { jobTemplate } from '../kron-job-manifest.js'
import { clusterJob, conditionOf, hasEnded, isTrue } from './cluster-job.js'
import type { OperatorProcess } from './operator-process.js'
import { Site } from './site.js'
import type { TestNamespace } from './test-namespace.js'

/** With a null where `kubectl apply` leaves it alone: in a list. */
const unknownField = { mind: ['the', null, 'gap'] }

/** Half a year from now, so that nothing is allowed while this runs. */
const farMonth = ((new Date().getUTCMonth() + 6) % 12) + 1

const container = (more: object) => ({ containers: [{ name: 'a', image: 'x', ...more }] })
const yearly = { schedule: '0 0 1 1 *' }

const jobs = [
  clusterJob(
    'soon',
    { window: { duration: '8s' }, timezone: 'Europe/Paris' },
    {
      pod: { fieldOfTheFuture: unknownField },
      podMetadata: { labels: { team: 'a' } },
    },
  ),
  clusterJob('failing', {}, { fate: 'fail' }),
  clusterJob('asleep', { policy: { suspend: true } }),
  clusterJob('overlapping', { window: { duration: '2m' } }),
  clusterJob('timeless', { constraints: { only: ['hours=18-8'] } }),
  clusterJob(
    'refused',
    { policy: { deadline: '50s' } },
    { pod: { containers: [{ name: 'Not_A_Label', image: 'x' }] } },
  ),
  clusterJob('seasonal', { constraints: { only: [`months=${farMonth}`] } }),
  clusterJob('leaving', {}, { fate: 'run' }),
  clusterJob('misspelt', yearly, { pod: container({ comand: ['x'] }) }),
  clusterJob('warned', yearly, { pod: { nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' } } }),
  clusterJob('unit', yearly, { pod: container({ resources: { limits: { memory: '1Gb' } } }) }),
]

describe.skipIf(controlPlaneAbsent())(
  'kron-operator, with no rights but those that we ship',
  () => {
    let site: Site
    let namespace: TestNamespace
    let operator: OperatorProcess
    let address: string

    beforeAll(async () => {
      site = await Site.open(await sharedControlPlane())
      namespace = site.namespace
      await namespace.apply(...jobs)
      operator = site.start('--listen', '127.0.0.1:0')
      await operator.logged('ready')
      address = String((await operator.logged('listening'))['address'])
    })

    afterAll(() => site?.close())

    const get = (path: string) => fetch(`http://${address.replace(/^http:\/\//, '')}${path}`)

    it('says in kubectl get when each KronJob runs next', async () => {
      await namespace.until('has a next run', 'soon', (kronJob) => {
        return kronJob.status?.nextChosenTime !== undefined
      })
      const [head, ...rows] = (await namespace.kubectl('get', 'kronjobs')).trim().split('\n')
      expect(head!.split(/ +/).join(' ')).toBe(
        'NAME SCHEDULE TIMEZONE WINDOW SUSPEND ACTIVE LAST OUTCOME NEXT AGE',
      )
      expect(rows).toHaveLength(jobs.length)
      const soon = rows.find((row) => row.startsWith('soon'))!
      expect(soon).toMatch(/^soon +\* \* \* \* \* +Europe\/Paris +8s +false +\d /)
      const next = /\d{4}-\d\d-\d\dT\d\d:\d\d:0[0-8]Z/.exec(soon)!
      const untilNextMs = Date.parse(next[0]) - Date.now()
      expect(untilNextMs).toBeGreaterThan(-60_000)
      expect(untilNextMs).toBeLessThan(70_000)
    })

    it.each<[string, object, string]>([
      ['a schedule of four fields', { schedule: '0 2 * *' }, 'must have five fields'],
      ['a zone that is not there', { timezone: 'Mars/Olympus' }, 'must be the name of an IANA'],
      ['a window that is before', { window: { mode: 'before' } }, 'supported values: "after"'],
      ['a policy that it does not know', { policy: { concurrency: 'Forbid' } }, 'concurrency'],
      [
        'a duration without unit',
        { window: { duration: '30' } },
        'must be a duration of 0s or more',
      ],
      [
        'a Pod that always starts again',
        { jobTemplate: jobTemplate({ restartPolicy: 'Always' }) },
        'restartPolicy: Unsupported value: "Always"',
      ],
    ])('leaves it to the schema to refuse %s', async (_, spec, message) => {
      const { spec: usual, ...rest } = clusterJob('wrong', {})
      const input = JSON.stringify({ ...rest, spec: { ...usual, ...spec } })
      const { code, stderr } = await namespace.try(['create', '-f', '-'], input)
      expect(code).toBe(1)
      expect(stderr).toContain('"wrong" is invalid')
      expect(stderr).toContain(message)
    })

    it.each([
      ['overlapping', 'WindowOverlap', /window/],
      ['timeless', 'ConstraintInvalid', /backwards/],
    ])('calls out what the schema could not see: %s', async (name, reason, message) => {
      const kronJob = await namespace.until('is invalid', name, (one) => isTrue(one, 'InvalidSpec'))
      expect(conditionOf(kronJob, 'InvalidSpec')).toMatchObject({ reason })
      expect(conditionOf(kronJob, 'InvalidSpec')!.message).toMatch(message)
      expect(conditionOf(kronJob, 'Ready')).toMatchObject({ status: 'False' })
      expect(await namespace.untilEvent(name, 'InvalidSpec')).toMatchObject({ type: 'Warning' })
      expect(await namespace.jobsOf(name)).toEqual([])
    })

    it('schedules a KronJob as soon as its flaw is gone', async () => {
      const fixed = '{"spec":{"window":{"duration":"10s"}}}'
      await namespace.kubectl('patch', 'kronjob', 'overlapping', '--type=merge', '-p', fixed)
      const kronJob = await namespace.until('is ready', 'overlapping', (one) =>
        isTrue(one, 'Ready'),
      )
      expect(isTrue(kronJob, 'InvalidSpec')).toBe(false)
      expect(kronJob.status!.nextChosenTime).toBeDefined()
    })

    it('answers probes and shows its metrics', async () => {
      expect(await (await get('/healthz')).json()).toMatchObject({ healthy: true })
      const ready = await get('/readyz')
      expect(ready.status).toBe(200)
      const readiness = { ready: true, leading: true, kronJobs: jobs.length }
      expect(await ready.json()).toMatchObject(readiness)
      const metrics = await (await get('/metrics')).text()
      expect(metrics).toContain(`kron_operator_kronjobs ${jobs.length}\n`)
      expect(metrics).toContain('kron_operator_leader 1\n')
      expect(metrics).toMatch(/api_requests_total\{verb="list",resource="jobs",status="200"\} 1\n/)
      expect((await get('/other')).status).toBe(404)
    })

    it('creates the Job at the second that was chosen, and not before', async () => {
      const [job] = await namespace.untilJobs('has a Job', 'soon', ({ length }) => length > 0)
      const { metadata } = job!
      const { annotations = {}, labels } = metadata
      const identity = `${namespace.name}/soon`
      const decision = operator.lines('decision').find((line) => {
        return (
          line['identity'] === identity && line['period_id'] === annotations['kron.io/period-id']
        )
      })!
      expect(Date.parse(decision.time)).toBeLessThan(
        Date.parse(annotations['kron.io/chosen-time']!),
      )
      expect(annotations).toMatchObject({
        'kron.io/nominal-time': decision['nominal_time'],
        'kron.io/chosen-time': decision['chosen_time'],
        'kron.io/seed-hash': decision['seed_hash'],
      })
      const period = annotations['kron.io/period-id']!.replaceAll(':', '-')
      expect(labels).toMatchObject({ 'kron.io/name': 'soon', 'kron.io/period-id': period })
      expect(metadata.ownerReferences).toEqual([
        {
          apiVersion: 'kron.io/v1alpha1',
          kind: 'KronJob',
          name: 'soon',
          uid: (await namespace.kronJob('soon')).metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ])
      const lateMs = sentAt(metadata.name) - Date.parse(annotations['kron.io/chosen-time']!)
      expect(lateMs).toBeGreaterThanOrEqual(0)
    })

    const creation = (name: string) =>
      site.gateway.writes.find(({ method, path, body }) => {
        return (
          method === 'POST' && path.includes('/jobs') && JSON.parse(body).metadata.name === name
        )
      })!

    const sentAt = (name: string): number => creation(name).at

    it('passes on what it does not know of a template as it was written', async () => {
      const [job] = await namespace.jobsOf('soon')
      const sent = JSON.parse(creation(job!.metadata.name).body)
      expect(sent.spec.template.spec.fieldOfTheFuture).toEqual(unknownField)
      const pods = await namespace.kubectl('get', 'pods', '-l', 'team=a', '-o', 'name')
      expect(pods).toContain(`pod/${job!.metadata.name}`)
    })

    it('follows a Job to its end, and tells of it in status and events', async () => {
      const [job] = await namespace.untilJobs('has ended', 'soon', ([one]) => hasEnded(one!))
      const kronJob = await namespace.until('knows', 'soon', ({ status }) => {
        return status?.lastSuccessfulTime !== undefined && status.activeCount === 0
      })
      expect(kronJob.status).toMatchObject({
        lastPeriodID: job!.metadata.annotations!['kron.io/period-id'],
        lastChosenTime: job!.metadata.annotations!['kron.io/chosen-time'],
        lastOutcome: 'executed',
        active: [],
      })
      const described = await namespace.kubectl('describe', 'kronjob', 'soon')
      expect(described).toMatch(/Normal +JobCreated .*kron-operator +created Job soon-/)
      expect(described).toMatch(/Normal +JobCompleted .*kron-operator +Job of period .* completed/)
    })

    it('tells of a Job that failed', async () => {
      const { status } = await namespace.until('has failed', 'failing', (kronJob) => {
        return kronJob.status?.lastFailureTime !== undefined
      })
      expect(status).toMatchObject({ lastOutcome: 'executed' })
      const event = await namespace.untilEvent('failing', 'JobFailed')
      expect(event).toMatchObject({ type: 'Warning', message: expect.stringContaining('failed') })
    })

    it('tells of a template that makes no Job, and goes on when it is mended', async () => {
      const kronJob = await namespace.until('is refused', 'refused', (one) => {
        return isTrue(one, 'InvalidSpec')
      })
      expect(conditionOf(kronJob, 'InvalidSpec')).toMatchObject({
        reason: 'JobTemplateInvalid',
        message: expect.stringContaining('Not_A_Label'),
      })
      expect(await namespace.untilEvent('refused', 'InvalidSpec')).toMatchObject({
        type: 'Warning',
      })
      await namespace.apply(clusterJob('refused', { policy: { deadline: '50s' } }))
      await namespace.untilJobs('has a Job', 'refused', ({ length }) => length > 0)
      const mended = await namespace.until('is ready', 'refused', (one) => isTrue(one, 'Ready'))
      expect(isTrue(mended, 'InvalidSpec')).toBe(false)
    })

    it.each([
      ['soon', 'JobTemplateUnknownField', /unknown field "spec.template.spec.fieldOfTheFuture"/],
      ['misspelt', 'JobTemplateUnknownField', /unknown field .*containers\[0\]\.comand"; Jobs/],
      ['unit', 'JobTemplateInvalid', /quantities must match/],
    ])('tells of a mistake in a template before any period: %s', async (name, reason, message) => {
      const kronJob = await namespace.until('is invalid', name, (one) => isTrue(one, 'InvalidSpec'))
      expect(conditionOf(kronJob, 'InvalidSpec')).toMatchObject({ reason })
      expect(conditionOf(kronJob, 'InvalidSpec')!.message).toMatch(message)
      expect(conditionOf(kronJob, 'Ready')).toMatchObject({ status: 'False', reason })
      expect(kronJob.status).toMatchObject({ checkedGeneration: kronJob.metadata.generation })
      expect(await namespace.untilEvent(name, 'InvalidSpec')).toMatchObject({ type: 'Warning' })
    })

    it('passes on what the server only warns of', async () => {
      const event = await namespace.untilEvent('warned', 'TemplateWarning')
      expect(event).toMatchObject({
        type: 'Warning',
        message: expect.stringContaining('deprecated since v1.14'),
      })
      const kronJob = await namespace.until('is ready', 'warned', (one) => isTrue(one, 'Ready'))
      expect(conditionOf(kronJob, 'InvalidSpec')).toMatchObject({
        status: 'False',
        reason: 'ValidWithWarnings',
      })
    })

    it('tells of a period that has no allowed time', async () => {
      const kronJob = await namespace.until('is unschedulable', 'seasonal', (one) => {
        return isTrue(one, 'Unschedulable')
      })
      expect(kronJob.status).toMatchObject({ lastOutcome: 'unschedulable' })
      expect(await namespace.untilEvent('seasonal', 'Unschedulable')).toMatchObject({
        type: 'Warning',
      })
      expect(await namespace.jobsOf('seasonal')).toEqual([])
    })

    it('leaves a suspended KronJob alone', async () => {
      const kronJob = await namespace.kronJob('asleep')
      expect(isTrue(kronJob, 'Suspended')).toBe(true)
      expect(kronJob.status).not.toHaveProperty('lastPeriodID')
      expect(await namespace.jobsOf('asleep')).toEqual([])
    })

    it('has the Jobs and Pods of a KronJob collected when that is deleted', async () => {
      await namespace.untilJobs('has a Job', 'leaving', ({ length }) => length > 0)
      const left = async (): Promise<KubeObject[]> => {
        const text = await namespace.kubectl('get', 'jobs,pods', '-o', 'json')
        const { items } = JSON.parse(text) as { items: KubeObject[] }
        return items.filter(({ metadata }) => metadata.name.startsWith('leaving-'))
      }
      await eventually('its Pod', 30_000, async () => ((await left()).length >= 2 ? true : null))
      await namespace.kubectl('delete', 'kronjob', 'leaving')
      await eventually('its end', 60_000, async () => ((await left()).length === 0 ? true : null))
    })

    it('was refused nothing, and stops when it is told to', async () => {
      expect(await operator.stop()).toBe(0)
      expect(site.forbidden()).toEqual([])
      expect(operator.complaints).toBe('')
      const failures = operator.log.filter(({ level }) => level === 'error')
      const told = failures.map((line) => `${line['operation']} ${line['identity']}`)
      const flawed = ['misspelt', 'refused', 'soon', 'unit']
      expect([...new Set(told)].sort()).toEqual([
        ...flawed.map((name) => `check_template ${namespace.name}/${name}`),
        `create_job ${namespace.name}/refused`,
        `run_job ${namespace.name}/failing`,
      ])
      expect([...new Set(failures.map((line) => line['error_type']))].sort()).toEqual([
        'ConfigurationError',
        'ExecutionError',
        'ValidationError',
      ])
      expect(operator.log.at(-1)).toMatchObject({ event: 'stop' })
    })
  },
)
