import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isAlive } from '../postgres/observation.ts'
import { type ControlPlane, startControlPlane } from './index.ts'
import { controlPlaneAbsent } from './shared.ts'

const waiting = { timeout: 30_000, interval: 50 }

const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}

describe.skipIf(controlPlaneAbsent())('a control plane', () => {
  let plane: ControlPlane

  beforeAll(async () => {
    plane = await startControlPlane({ users: [{ name: 'guest' }], crds: [widgetCrd] })
  })

  afterAll(() => plane?.stop())

  it('takes objects of its CRD from kubectl', async () => {
    const namespace = await plane.createNamespace()
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'first' } }
    const input = JSON.stringify(widget)
    const created = await plane.kubectl(['-n', namespace, 'create', '-f', '-'], { input })
    expect(created).toEqual({
      code: 0,
      stdout: 'widget.example.com/first created\n',
      stderr: '',
    })
    const listed = await plane.kubectl(['-n', namespace, 'get', 'widgets', '-o', 'name'])
    expect(listed.stdout).toBe('widget.example.com/first\n')
  })

  it('refuses what RBAC does not allow, until it does', async () => {
    const namespace = await plane.createNamespace()
    const list = ['-n', namespace, 'get', 'configmaps', '-o', 'name']
    const refused = await plane.kubectl(list, { user: 'guest' })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('configmaps is forbidden: User "guest" cannot list')
    const allow = ['create', 'role', 'guests', '--verb=list', '--resource=configmaps']
    const bind = ['create', 'rolebinding', 'guests', '--role=guests', '--user=guest']
    for (const args of [allow, bind]) {
      expect(await plane.kubectl(['-n', namespace, ...args])).toMatchObject({ code: 0 })
    }
    await vi.waitFor(async () => {
      expect(await plane.kubectl(list, { user: 'guest' })).toMatchObject({ code: 0 })
    }, waiting)
  })

  it('knows service accounts by tokens of its own', async () => {
    const namespace = await plane.createNamespace()
    await plane.client.demand('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
      metadata: { name: 'robot' },
    })
    const config = JSON.parse(await plane.serviceAccountKubeconfig(namespace, 'robot'))
    expect(config.contexts[0].context).toMatchObject({ user: 'robot', namespace })
    const { token } = config.users[0].user
    const review = { spec: { token } }
    const answer = await plane.client.demand<{ status: { user: { username: string } } }>(
      'POST',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review,
    )
    expect(answer.status.user.username).toBe(`system:serviceaccount:${namespace}:robot`)
  })

  it('runs the pods of a Job as far as there is no kubelet, and collects garbage', async (test) => {
    if (!plane.address.hasControllerManager) test.skip('there is no controller manager')
    const namespace = await plane.createNamespace()
    const inIt = (...args: string[]) => plane.kubectl(['-n', namespace, ...args])
    expect(await inIt('create', 'job', 'work', '--image=none')).toMatchObject({ code: 0 })
    await vi.waitFor(async () => {
      expect((await inIt('get', 'pods', '-o', 'name')).stdout).toMatch(/^pod\/work-\w+\n$/)
    }, waiting)
    expect(await inIt('delete', 'job', 'work')).toMatchObject({ code: 0 })
    await vi.waitFor(async () => {
      expect((await inIt('get', 'pods', '-o', 'name')).stdout).toBe('')
    }, waiting)
  })

  it('keeps what it has when its API server is killed and started again', async () => {
    const namespace = await plane.createNamespace()
    const before = plane.pidOf('kube-apiserver')!
    await plane.killApiServer()
    expect(isAlive(before)).toBe(false)
    await expect(plane.client.send('GET', '/readyz')).rejects.toThrow(/ECONNREFUSED|socket hang up/)
    await plane.restartApiServer()
    expect(plane.pidOf('kube-apiserver')).not.toBe(before)
    expect((await plane.kubectl(['get', 'namespace', namespace])).code).toBe(0)
  })

  it('forgets its history when told to', async () => {
    const list = '/api/v1/configmaps'
    const { metadata } = await plane.client.demand<{ metadata: { resourceVersion: string } }>(
      'GET',
      list,
    )
    await plane.createNamespace()
    await plane.forgetHistory()
    const query = `?watch=1&timeoutSeconds=5&resourceVersion=${metadata.resourceVersion}`
    const { body } = await plane.client.send('GET', list + query)
    expect(JSON.parse(body)).toMatchObject({ type: 'ERROR', object: { code: 410 } })
  })

  it('has nothing to forget a second time, when nobody could write since', async () => {
    await plane.killApiServer()
    await plane.compactEtcd()
    await plane.forgetHistory()
    expect((await plane.client.send('GET', '/readyz')).status).toBe(200)
  })

  it('leaves no process and no file when it is stopped', async () => {
    const pids = (['etcd', 'kube-apiserver', 'kube-controller-manager'] as const)
      .map((component) => plane.pidOf(component))
      .filter((pid) => pid !== null)
    expect(pids.filter(isAlive)).toHaveLength(plane.address.hasControllerManager ? 3 : 2)
    await Promise.all([plane.stop(), plane.stop()])
    expect(pids.filter(isAlive)).toEqual([])
    expect(existsSync(plane.address.folder)).toBe(false)
  })
})
