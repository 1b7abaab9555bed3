import type { HttpKubeApi, KubeObject, Resource } from '@kron/operator'

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
  version: 'v1beta1',
  plural: 'cronjobs',
  kind: 'CronJob',
}

export function kronJob(namespace: string, name: string, schedule: string): KubeObject {
  const spec = { schedule, policy: { deadline: '5m' }, jobTemplate: { spec: jobSpec } }
  return { apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', metadata: { namespace, name }, spec }
}

export function cronJob(namespace: string, name: string, schedule: string): KubeObject {
  const spec = { schedule, concurrencyPolicy: 'Forbid', jobTemplate: { spec: jobSpec } }
  return { apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { namespace, name }, spec }
}

export function job(namespace: string, name: string): KubeObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace, name }, spec: jobSpec }
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
