import { beforeAll, describe, expect, it } from 'vitest'
import type { PlaneAccess } from '../../../tools/kube/index.ts'
import { controlPlaneAbsent, sharedControlPlane } from '../../../tools/kube/shared.ts'
import type { KronJob } from '../src/kronjob/index.js'

interface Container {
  readonly name: string
  readonly image: string
  readonly env?: readonly { readonly name: string; readonly value: string }[]
}

interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers: readonly Container[]
  readonly volumes: readonly { readonly name: string }[]
}

const kronJob = (podSpec: object, more: object = {}): object => ({
  apiVersion: 'kron.io/v1alpha1',
  kind: 'KronJob',
  metadata: { name: 'shared' },
  spec: { ...more, jobTemplate: { spec: { template: { spec: podSpec } } } },
})

const owners = kronJob(
  {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'example.com/main:1', env: [{ name: 'OWN', value: '1' }] }],
    initContainers: [{ name: 'fetch', image: 'example.com/fetch:1' }],
    volumes: [{ name: 'work', emptyDir: {} }],
  },
  { schedule: '0 3 * * *' },
)

const others = kronJob({
  containers: [
    { name: 'main', env: [{ name: 'PROXY', value: 'http://proxy' }] },
    { name: 'sidecar', image: 'example.com/sidecar:1' },
  ],
  initContainers: [{ name: 'trust', image: 'example.com/trust:1' }],
  volumes: [{ name: 'certificates', configMap: { name: 'certificates' } }],
})

describe.skipIf(controlPlaneAbsent())('two who apply parts of one KronJob', () => {
  let plane: PlaneAccess
  let namespace: string

  beforeAll(async () => {
    plane = await sharedControlPlane()
    namespace = await plane.createNamespace('apply')
  })

  async function apply(manager: string, manifest: object): Promise<PodSpec> {
    const args = ['apply', '--server-side', `--field-manager=${manager}`, '-o', 'json', '-f', '-']
    const input = JSON.stringify(manifest)
    const { stdout, stderr } = await plane.kubectl([...args, '-n', namespace], { input })
    expect(stderr).toBe('')
    const { jobTemplate } = (JSON.parse(stdout) as KronJob).spec
    return (jobTemplate.spec as { template: { spec: PodSpec } }).template.spec
  }

  const namesOf = (list: readonly { readonly name: string }[] = []) => list.map(({ name }) => name)

  it('have what both said, as with a Job', async () => {
    await apply('owner', owners)
    const merged = await apply('injector', others)
    expect(namesOf(merged.containers)).toEqual(['main', 'sidecar'])
    expect(namesOf(merged.initContainers)).toEqual(['fetch', 'trust'])
    expect(namesOf(merged.volumes)).toEqual(['work', 'certificates'])
    expect(merged.containers[0]).toMatchObject({ image: 'example.com/main:1' })
    expect(namesOf(merged.containers[0]!.env)).toEqual(['OWN', 'PROXY'])
    // The owner applies again, and takes nothing away from the other.
    expect(namesOf((await apply('owner', owners)).containers)).toEqual(['main', 'sidecar'])
  })
})
