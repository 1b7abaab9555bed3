import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { cronJobObject } from '../../../testing/kronctl/samples.js'
import type { KubeObject } from '../../kube/index.js'
import { cronJobs } from './cron-job.js'

const manifest = `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: "0 3 * * ?"
  timeZone: Europe/Paris
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: example.com/main:1.4
              env: [{name: "YES", value: "yes"}, {name: DATE, value: "2026-01-01"}]
              volumeMounts: []
`
const files = { '/home/ada/cron.yaml': manifest }

describe('kronctl import', () => {
  it('prints KronJobs with each difference above its field', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['import', '-f', 'cron.yaml'], { files })
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`apiVersion: kron.io/v1alpha1
kind: KronJob
metadata:
  name: nightly
spec:
  # "0 3 * * ?" in the CronJob.
  schedule: "0 3 * * *"
  timezone: Europe/Paris
  policy:
    # Where a CronJob says nothing it allows this; a KronJob would forbid it.
    concurrency: allow
    # A CronJob without startingDeadlineSeconds starts its latest missed run however late; 25h
    # covers the longest time between two runs.
    deadline: 25h
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: example.com/main:1.4
              env:
                - name: "YES"
                  value: "yes"
                - name: DATE
                  value: "2026-01-01"
              volumeMounts: []
`)
    expect(stderr).toContain(`kubectl patch cronjob nightly -p '{"spec":{"suspend":true}}'`)
  })

  it.each([
    [
      'Forbid',
      `    # A CronJob whose Job is still active starts the run late, when that Job ends; a KronJob
    # skips the period.
    concurrency: forbid
`,
    ],
    [
      'Replace',
      [
        '    # A CronJob creates the next Job at once, beside Pods that still end; a KronJob waits until',
        '    # they are gone, within the deadline.',
        '    concurrency: replace\n',
      ].join('\n'),
    ],
    ['Allow', '  policy:\n    concurrency: allow\n'],
  ])('tells what %s does otherwise in a KronJob', async (concurrencyPolicy, expected) => {
    const input = manifest.replace('  timeZone:', `  concurrencyPolicy: ${concurrencyPolicy}\n$&`)
    const { exitCode, stdout } = await runInMemory(['import', '-f', '-'], { input })
    expect(exitCode).toBe(0)
    expect(stdout).toContain(expected)
  })

  it('makes what validate has nothing against', async () => {
    const made = await runInMemory(['import', '-f', 'cron.yaml', '--window', '30m'], { files })
    const checked = await runInMemory(['validate', '-f', '-', '--strict'], { input: made.stdout })
    expect(checked).toMatchObject({
      exitCode: 0,
      stdout: '1 file, 1 KronJob, 0 errors, 0 warnings\n',
    })
  })

  it('writes a file, but not over another one', async () => {
    const args = ['import', '-f', 'cron.yaml', '--out', 'kron.yaml']
    const run = await runInMemory(args, { files })
    expect(run).toMatchObject({ exitCode: 0, stdout: 'wrote 1 KronJob to kron.yaml\n' })
    expect(run.written.get('/home/ada/kron.yaml')).toMatch(/^apiVersion: kron\.io/)
    expect(run.stderr).toContain('kubectl apply -f kron.yaml\n')
    const present = { ...files, '/home/ada/kron.yaml': 'mine' }
    expect(await runInMemory(args, { files: present })).toMatchObject({
      exitCode: 1,
      stderr: 'kronctl: kron.yaml exists\nhint: --force overwrites it\n',
    })
    expect(await runInMemory([...args, '--force'], { files: present })).toMatchObject({
      exitCode: 0,
    })
  })

  it.each(['yaml', 'json'])('takes -o %s for the format, as kubectl does', async (output) => {
    const args = ['import', '-f', 'cron.yaml', '-o', output]
    const { exitCode, stdout, written } = await runInMemory(args, { files })
    expect(exitCode).toBe(0)
    expect([...written.keys()]).toEqual([])
    expect(stdout.startsWith(output === 'json' ? '{\n  "apiVersion"' : 'apiVersion:')).toBe(true)
  })

  it('makes one List of several as JSON, and tells the differences beside it', async () => {
    const input = `${manifest}---\n${manifest.replace('nightly', 'daily')}`
    const { stdout, stderr } = await runInMemory(['import', '-f', '-', '-o', 'json'], { input })
    const { kind, items } = JSON.parse(stdout)
    expect(kind).toBe('List')
    expect(items.map((item: KubeObject) => item.metadata.name)).toEqual(['nightly', 'daily'])
    expect(stderr).toContain('kronctl: daily: spec.schedule: "0 3 * * ?" in the CronJob.\n')
    const checked = await runInMemory(['validate', '-f', '-'], { input: stdout })
    expect(checked.exitCode).toBe(0)
  })

  it.each([
    [
      ['-o', 'kron.yaml'],
      '-o must be yaml or json, got "kron.yaml"\nhint: --out kron.yaml writes a file',
    ],
    [
      ['-o', 'json', '--format', 'json'],
      '-o can not be used with --format json\n' +
        'hint: -o is for the manifests alone, --format json for a report that has them',
    ],
  ])('refuses %j, which could mean two things', async (args, message) => {
    const run = await runInMemory(['import', '-f', 'cron.yaml', ...args], { files })
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: `kronctl: ${message}\n` })
    expect([...run.written.keys()]).toEqual([])
  })

  it('writes JSON to a file as well', async () => {
    const args = ['import', '-f', 'cron.yaml', '-o', 'json', '--out', 'kron.json']
    const run = await runInMemory(args, { files })
    expect(JSON.parse(String(run.written.get('/home/ada/kron.json')))).toMatchObject({
      kind: 'KronJob',
    })
  })

  it('converts the others when one can not be, and fails', async () => {
    const every = manifest.replace('"0 3 * * ?"', '"@every 1h"').replace('nightly', 'often')
    const { exitCode, stdout, stderr } = await runInMemory(['import', '-f', '-'], {
      input: `${manifest}---\n${every}`,
    })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('name: nightly')
    expect(stdout).not.toContain('name: often')
    expect(stderr).toContain('kronctl: often is not converted: "@every 1h" counts from when')
    expect(stderr).toContain('hint: "0 * * * *" runs as often, on the clock')
  })

  it('converts the others when something can not be read, and fails', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['import', '-f', '-'], {
      input: `${manifest}---\nkind: CronJob\nmetadata: [\n`,
    })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('name: nightly')
    expect(stderr).toContain('not YAML')
  })

  it('takes those of a file that are named, and refuses a name that it does not have', async () => {
    const input = `${manifest}---\n${manifest.replace('nightly', 'daily')}`
    const one = await runInMemory(['import', 'daily', '-f', '-'], { input })
    expect(one.exitCode).toBe(0)
    expect(one.stdout.match(/^ {2}name: .*$/gm)).toEqual(['  name: daily'])
    expect(await runInMemory(['import', 'daily', 'nihgtly', '-f', '-'], { input })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'kronctl: no CronJob "nihgtly" in -; did you mean nightly?\n',
    })
  })

  it('gives programs the manifests and the notes', async () => {
    const { stdout } = await runInMemory(['import', '-f', 'cron.yaml', '--format', 'json'], {
      files,
    })
    expect(JSON.parse(stdout)).toMatchObject({
      kronJobs: [
        {
          cronJob: 'nightly',
          manifest: { kind: 'KronJob', spec: { schedule: '0 3 * * *' } },
          notes: [
            { field: 'spec.schedule', message: '"0 3 * * ?" in the CronJob.' },
            { field: 'spec.policy.concurrency' },
            { field: 'spec.policy.deadline' },
          ],
        },
      ],
      refused: [],
    })
  })

  it('takes CronJobs of a cluster, all or by name', async () => {
    const objects = [
      [cronJobs, cronJobObject('a')],
      [cronJobs, cronJobObject('b')],
    ] as const
    const all = await runInMemory(['import'], { objects })
    expect(all.stdout.match(/^kind: KronJob$/gm)).toHaveLength(2)
    expect(all.stdout).toContain('\n---\n')
    const one = await runInMemory(['import', 'b'], { objects })
    expect(one.stdout).toContain('  name: b\n  namespace: shop\n')
    expect(await runInMemory(['import', 'weekly'], { objects })).toMatchObject({
      exitCode: 1,
      stderr: 'kronctl: no CronJob "weekly" in namespace "shop"\nhint: there are a, b\n',
    })
  })

  it('says when there is nothing to convert', async () => {
    const files = { '/home/ada/a.yaml': 'kind: Service\napiVersion: v1\n' }
    const { exitCode, stderr } = await runInMemory(['import', '-f', 'a.yaml'], { files })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('kronctl: no CronJobs in a.yaml\n')
  })
})
