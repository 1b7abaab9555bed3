import { apiVersionOf, kronJobs } from '../kube/kube-object.js'
import type { JsonSchema } from './schema/json-schema.js'
import { kronJobSchema } from './schema/kron-job-schema.js'

/** A CustomResourceDefinition of ours: one version, served and stored. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced'
    readonly names: CustomResourceNames
    readonly versions: readonly [CustomResourceVersion]
  }
}

export interface CustomResourceNames {
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
}

export interface CustomResourceVersion {
  readonly name: string
  readonly served: true
  readonly storage: true
  readonly subresources: { readonly status: object }
  readonly additionalPrinterColumns: readonly PrinterColumn[]
  readonly schema: { readonly openAPIV3Schema: JsonSchema }
}

export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'date'
  readonly jsonPath: string
  readonly description: string
}

/** A column of type date shows how long ago; of a time that is still to come, `<invalid>`. */
const columns: readonly PrinterColumn[] = [
  column('Schedule', 'string', '.spec.schedule', 'When the periods are, as a cron expression.'),
  column('Timezone', 'string', '.spec.timezone', 'The time zone of the schedule.'),
  column('Window', 'string', '.spec.window.duration', 'How long the window of each period is.'),
  column('Suspend', 'boolean', '.spec.policy.suspend', 'Whether the KronJob is suspended.'),
  column('Active', 'integer', '.status.activeCount', 'How many Jobs have not finished.'),
  column('Last', 'date', '.status.lastChosenTime', 'How long ago the last period was to run.'),
  column('Outcome', 'string', '.status.lastOutcome', 'The outcome of the last period.'),
  column('Next', 'string', '.status.nextChosenTime', 'When the next period runs.'),
  column('Age', 'date', '.metadata.creationTimestamp', 'How long ago it was created.'),
]

const { group, version, plural, kind } = kronJobs

/** What `deploy/kubernetes/crd.yaml` and the chart have. */
export const kronJobCrd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, listKind: `${kind}List`, plural, singular: 'kronjob', shortNames: ['kj'] },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: columns,
        schema: { openAPIV3Schema: kronJobSchema },
      },
    ],
  },
}

function column(
  name: string,
  type: PrinterColumn['type'],
  jsonPath: string,
  description: string,
): PrinterColumn {
  return { name, type, jsonPath, description }
}

/** As manifests of KronJobs have it. */
export const kronJobApiVersion = apiVersionOf(kronJobs)
