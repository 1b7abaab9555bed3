import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobObject } from '../../../testing/kronctl/samples.js'
import type { KronJob } from '../../kronjob/index.js'
import { ApiFailure, jobs, type KubeApi, type KubeObject, kronJobs } from '../../kube/index.js'

const shop = { namespace: 'shop', name: 'backup' }
const backup = [[kronJobs, kronJobObject('backup')]] as const
const suspended = [[kronJobs, kronJobObject('backup', { policy: { suspend: true } })]] as const

/** The API server, but for one call. */
const but = (changes: Partial<KubeApi>) => (api: KubeApi) =>
  new Proxy(api, {
    get(target, name) {
      const changed = changes[name as keyof KubeApi]
      if (changed !== undefined) return changed
      const own = target[name as keyof KubeApi]
      return typeof own === 'function' ? own.bind(target) : own
    },
  })

describe('kronctl suspend and resume', () => {
  it('suspends, and says what was before', async () => {
    const run = await runInMemory(['suspend', 'backup'], { objects: backup })
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: 'shop/backup suspended, was not suspended\n',
      stderr: '',
      isClosed: true,
    })
    const { spec } = run.api.objects.get(kronJobs, shop) as KronJob
    expect(spec).toMatchObject({ schedule: '0 3 * * *', policy: { suspend: true } })
  })

  it('resumes, and says when it runs next', async () => {
    const run = await runInMemory(['resume', 'backup'], { objects: suspended })
    expect(run.stdout).toBe(
      'shop/backup resumed, was suspended; the next run is due 2026-03-01T03:00:00Z\n',
    )
    expect((run.api.objects.get(kronJobs, shop) as KronJob).spec.policy?.suspend).toBe(false)
  })

  it('leaves alone what is so already', async () => {
    const patch = () => Promise.reject(new Error('must not be asked'))
    const run = await runInMemory(['suspend', 'backup'], {
      objects: suspended,
      through: but({ patch }),
    })
    expect(run).toMatchObject({ exitCode: 0, stdout: 'shop/backup is suspended, as it was\n' })
  })

  it('takes all of a namespace, or of all', async () => {
    const objects = [
      ...backup,
      [kronJobs, kronJobObject('a')],
      [kronJobs, kronJobObject('a', {}, 'other')],
    ] as const
    const one = await runInMemory(['suspend', '--all', '--format', 'json'], { objects })
    expect(JSON.parse(one.stdout)).toEqual([
      { namespace: 'shop', name: 'a', before: false, after: true, changed: true },
      { namespace: 'shop', name: 'backup', before: false, after: true, changed: true },
    ])
    const all = await runInMemory(['suspend', '--all', '-A'], { objects })
    expect(all.stdout.split('\n')).toHaveLength(4)
  })
})

describe('kronctl suspend -l', () => {
  const labelled = (name: string, team: string) => {
    const object = kronJobObject(name)
    return { ...object, metadata: { ...object.metadata, labels: { team } } }
  }
  const objects = [
    [kronJobs, labelled('a', 'blue')],
    [kronJobs, labelled('b', 'red')],
  ] as const

  it('changes those with the labels', async () => {
    const { stdout } = await runInMemory(['suspend', '-l', 'team=red'], { objects })
    expect(stdout).toBe('shop/b suspended, was not suspended\n')
  })

  it.each([
    [['-l', 'team=red', 'a'], '-l can not be used with names'],
    [['-l', 'team=red', '--all'], '--all can not be used with -l'],
  ])('refuses %j', async (args, message) => {
    const run = await runInMemory(['suspend', ...args], { objects })
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: `kronctl: ${message}\n` })
  })
})

describe('kronctl run', () => {
  it('creates a Job outside of any period, and says how to follow it', async () => {
    const run = await runInMemory(['run', 'backup'], { objects: backup })
    expect(run).toMatchObject({
      exitCode: 0,
      stdout:
        'created Job shop/backup-manual-aaaaa, outside of any period\n' +
        'follow it: kubectl logs -f job/backup-manual-aaaaa -n shop\n',
    })
    const job = run.api.objects.get(jobs, { namespace: 'shop', name: 'backup-manual-aaaaa' })
    const owner = run.api.objects.get(kronJobs, shop)
    expect(job.metadata).toMatchObject({
      labels: { 'kron.io/name': 'backup' },
      annotations: { 'kron.io/run': 'manual' },
      ownerReferences: [{ uid: owner.metadata.uid, controller: true, blockOwnerDeletion: true }],
    })
  })

  it('takes another name when one is taken', async () => {
    const taken = { metadata: { name: 'backup-manual-aaaaa', namespace: 'shop' }, spec: {} }
    const run = await runInMemory(['run', 'shop/backup'], { objects: [...backup, [jobs, taken]] })
    expect(run.stdout).toContain('shop/backup-manual-bbbbb')
  })

  it.each([[], ['--dry-run']])(
    'creates no Job of a KronJob that is invalid: %j',
    async (...more) => {
      const invalid = kronJobObject('backup', { window: { duration: '25h' } })
      const run = await runInMemory(['run', 'backup', ...more], { objects: [[kronJobs, invalid]] })
      expect(run).toMatchObject({ exitCode: 2, stdout: '' })
      expect(run.stderr).toMatch(
        /^kronctl: shop\/backup is invalid, so no Job is created: .*window of 25h is too large/,
      )
      expect(run.api.objects.all(jobs)).toEqual([])
    },
  )

  it.each([
    [400, 'Job in version "v1" cannot be handled as a Job: quantities must match'],
    [422, 'Job.batch "backup-manual-aaaaa" is invalid: quantities must match'],
  ])('blames the template for what is answered with %s', async (status, message) => {
    const through = but({ create: () => Promise.reject(new ApiFailure(message, { status })) })
    const run = await runInMemory(['run', 'backup'], { objects: backup, through })
    expect(run).toMatchObject({
      exitCode: 2,
      stderr: 'kronctl: jobTemplate: quantities must match\n',
    })
  })

  it('only prints the Job with --dry-run', async () => {
    const { stdout, api } = await runInMemory(['run', 'backup', '--dry-run'], { objects: backup })
    expect(stdout).toMatch(/^apiVersion: batch\/v1\nkind: Job\nmetadata:\n {2}name: backup-manual-/)
    expect(api.objects.all(jobs)).toEqual([])
    const json = await runInMemory(['run', 'backup', '--dry-run', '--format', 'json'], {
      objects: backup,
    })
    expect((JSON.parse(json.stdout) as KubeObject).kind).toBe('Job')
  })
})

describe('an API server that does not do it', () => {
  const failing = (status: number | null) =>
    but({
      get: () => Promise.reject(new ApiFailure('it said so', { status })),
      list: () => Promise.reject(new ApiFailure('it said so', { status })),
    })

  it.each([
    [null, 'https://kube.example does not answer: it said so', 'hint: kubectl cluster-info'],
    [401, 'https://kube.example refused (401): it said so', 'hint: log in again'],
    [403, 'https://kube.example refused (403): it said so', 'hint: kubectl auth can-i --list'],
    [404, 'https://kube.example knows no KronJobs', 'hint: kron-operator manifests crd'],
    [500, 'https://kube.example refused (500): it said so', ''],
  ])('with %s ends the command with code 3', async (status, message, hint) => {
    for (const command of ['run', 'suspend', 'next']) {
      const run = await runInMemory([command, 'backup'], { objects: [], through: failing(status) })
      expect(run).toMatchObject({ exitCode: 3, stdout: '', isClosed: true })
      expect(run.stderr).toContain(`kronctl: ${message}`)
      expect(run.stderr).toContain(hint)
    }
  })

  it('passes on which cluster is meant', async () => {
    const args = ['suspend', 'backup', '--kubeconfig', 'my.config', '--context', 'home']
    const { connections } = await runInMemory(args, { objects: backup })
    expect(connections).toEqual([{ kubeconfig: '/home/ada/my.config', context: 'home' }])
  })
})
