import type { HttpKubeApi } from '../../packages/operator/dist/kube/http/index.js'
import type { KubeObject, Resource } from '../../packages/operator/dist/kube/index.js'

/** A Job that does nothing, as every contender creates it. */
export const jobSpec = {
  template: {
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'example.com/nothing', command: ['true'] }],
    },
  },
}

export const cronJobs: Resource = {
  group: 'batch',
  version: 'v1',
  plural: 'cronjobs',
  kind: 'CronJob',
}

export function kronJob(namespace: string, name: string, schedule: string): KubeObject {
  const spec = { schedule, policy: { deadline: '5m' }, jobTemplate: { spec: jobSpec } }
  return { apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', metadata: { namespace, name }, spec }
}

export function cronJob(namespace: string, name: string, schedule: string): KubeObject {
  const spec = { schedule, concurrencyPolicy: 'Forbid', jobTemplate: { spec: jobSpec } }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { namespace, name }, spec }
}

/** As the controller makes it: with an owner, labels and annotations, but not ones that it watches. */
export function job(owner: KubeObject, name: string): KubeObject {
  const { namespace = '', name: ownerName, uid = '' } = owner.metadata
  const period = '2026-03-01T02:30:00Z'
  const metadata = {
    namespace,
    name,
    labels: { 'bench.io/name': name, 'bench.io/period-id': period.replaceAll(':', '-') },
    annotations: {
      'bench.io/period-id': period,
      'bench.io/nominal-time': period,
      'bench.io/chosen-time': period,
      'bench.io/seed-hash': '0'.repeat(64),
    },
    ownerReferences: [
      {
        apiVersion: 'kron.io/v1alpha1',
        kind: 'KronJob',
        name: ownerName,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobSpec }
}

/** Creates them, so many at once, and answers how long that took. */
export async function createAll(
  api: HttpKubeApi,
  resource: Resource,
  objects: readonly KubeObject[],
  atOnce: number,
): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < objects.length) await api.create(resource, objects[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return performance.now() - startedAt
}

/** `minute hour day month *` of an instant in UTC. */
export function cronAt(instant: number): string {
  const at = new Date(instant)
  return `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`
}
