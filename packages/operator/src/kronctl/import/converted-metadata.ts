import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'
import type { Note } from './note.js'

/** Made by kubectl of the whole CronJob, and by no one for the KronJob. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** What people wrote of the metadata; what a cluster made of it is left out. */
export function convertedMetadata(metadata: JsonRecord): { metadata: JsonRecord; notes: Note[] } {
  const { name, namespace, labels, annotations } = metadata
  const kept = isRecord(annotations)
    ? Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== lastApplied))
    : {}
  const isGone = (field: string): boolean => metadata[field] !== undefined
  const dropped = ['ownerReferences', 'finalizers'].filter(isGone)
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(Object.keys(kept).length > 0 && { annotations: kept }),
    },
    notes: dropped.map((field) => ({
      path: ['metadata'],
      message: `${field} of the CronJob is left out.`,
    })),
  }
}
