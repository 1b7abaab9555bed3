import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, type PlaneAccess } from '../../../../tools/kube/index.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../../tools/kube/shared.ts'
import { cronJobObject, kronJobObject } from '../../testing/kronctl/samples.js'
import { type ProgramRun, startProgram } from '../../testing/kronctl/start-kronctl.js'

describe.skipIf(controlPlaneAbsent())('kronctl on a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kronctl-'))
  let plane: PlaneAccess
  let namespace: string

  const kronctl = (args: readonly string[], input = ''): Promise<ProgramRun> =>
    startProgram('kronctl', args, { folder, input, env: { KUBECONFIG: join(folder, 'config') } })

  const applied = async (object: object): Promise<void> => {
    const input = JSON.stringify(object)
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 })
  }

  beforeAll(async () => {
    plane = await sharedControlPlane()
    namespace = await plane.createNamespace('kronctl')
    writeFileSync(join(folder, 'config'), plane.kubeconfig(admin, namespace))
    await applied(kronJobObject('backup', { window: { duration: '2h' } }, namespace))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('lists the runs of the namespace of the context', async () => {
    const { status, stdout, stderr } = await kronctl(['next', '--limit', '1'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(`${namespace}/backup  0 3 * * * @win(after,2h)`)
  })

  it('suspends and resumes', async () => {
    expect(await kronctl(['suspend', 'backup'])).toMatchObject({
      status: 0,
      stdout: `${namespace}/backup suspended, was not suspended\n`,
    })
    const { stdout } = await kronctl(['resume', '--all'])
    expect(stdout).toContain(`${namespace}/backup resumed, was suspended; the next run is due`)
  })

  it('creates a Job that the server takes as it is', async () => {
    const { status, stdout } = await kronctl(['run', 'backup', '--format', 'json'])
    expect(status).toBe(0)
    const { metadata } = JSON.parse(stdout)
    expect(metadata).toMatchObject({
      name: expect.stringMatching(/^backup-manual-[a-z0-9]{5}$/),
      ownerReferences: [{ kind: 'KronJob', name: 'backup', controller: true }],
    })
    const found = await plane.kubectl(['get', 'job', metadata.name, '-n', namespace, '-o', 'name'])
    expect(found.stdout).toBe(`job.batch/${metadata.name}\n`)
  })

  it('imports CronJobs, and the server takes what it made', async () => {
    const cronJob = cronJobObject('nightly', { schedule: '5/20 3 ? * mon-fri' }, namespace)
    await applied(cronJob)
    const { status, stdout } = await kronctl(['import', 'nightly'])
    expect(status).toBe(0)
    const made = await plane.kubectl(['apply', '-f', '-'], { input: stdout })
    expect(made).toMatchObject({ code: 0, stdout: 'kronjob.kron.io/nightly created\n' })
  })

  it('tells of names that are unknown, and of servers that do not answer', async () => {
    expect(await kronctl(['run', 'bakcup'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('did you mean backup?'),
    })
    const gone = plane.kubeconfig(admin).replace(plane.server, 'https://127.0.0.1:1')
    writeFileSync(join(folder, 'gone'), gone)
    const { status, stderr } = await kronctl(['next', '--kubeconfig', 'gone'])
    expect(status).toBe(3)
    expect(stderr).toContain('kronctl: https://127.0.0.1:1 does not answer: ')
  })
})
