import type { KronJob, KronJobSpec } from '../src/kronjob/index.js'

/** A manifest with nothing but what is required, and what a test adds to its spec. */
export function kronJobManifest(spec: Partial<Record<keyof KronJobSpec, unknown>> = {}): KronJob {
  const manifest: object = {
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    metadata: { name: 'backup', namespace: 'shop' },
    spec: { schedule: '0 2 * * *', jobTemplate: jobTemplate(), ...spec },
  }
  return manifest as KronJob
}

export function jobTemplate(podSpec: object = {}): KronJobSpec['jobTemplate'] {
  const containers = [{ name: 'backup', image: 'example.com/backup:1.4' }]
  return { spec: { template: { spec: { restartPolicy: 'Never', containers, ...podSpec } } } }
}
