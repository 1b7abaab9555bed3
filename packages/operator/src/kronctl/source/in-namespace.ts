import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'

/** The object with a namespace, if it has none yet. */
export function inNamespace(value: JsonRecord, namespace: string): JsonRecord {
  const { metadata } = value
  if (!isRecord(metadata)) return value
  return { ...value, metadata: { ...metadata, namespace: metadata['namespace'] ?? namespace } }
}
