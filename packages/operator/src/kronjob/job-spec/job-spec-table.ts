import { type FieldTable, parseFieldTable } from './field-type.js'
import { jobSpecText, kubernetesVersion } from './generated/job-spec.js'

let table: FieldTable | undefined

/** All types that a JobSpec is made of; read when it is first needed. */
export function jobSpecTable(): FieldTable {
  table ??= parseFieldTable(jobSpecText)
  return table
}

/** Of which Kubernetes that is. */
export { kubernetesVersion }
