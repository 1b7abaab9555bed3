import type { KubeObject } from '../../src/kube/index.js'

const podSpec = `
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: example.com/main:1.4
`

/** A KronJob as people write it; more lines go into its spec. */
export const kronJobYaml = (name: string, schedule = '0 3 * * *', ...more: string[]): string =>
  `apiVersion: kron.io/v1alpha1
kind: KronJob
metadata:
  name: ${name}
spec:
  schedule: "${schedule}"
${more.map((line) => `  ${line}\n`).join('')}  jobTemplate:
    spec:${podSpec}`

export const jobTemplate = {
  spec: {
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'example.com/main:1.4' }],
      },
    },
  },
}

export function kronJobObject(name: string, spec: object = {}, namespace = 'shop'): KubeObject {
  return {
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    metadata: { name, namespace },
    spec: { schedule: '0 3 * * *', jobTemplate, ...spec },
  }
}

export function cronJobObject(name: string, spec: object = {}, namespace = 'shop'): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    spec: { schedule: '0 3 * * *', jobTemplate, ...spec },
  }
}
