import { type ApiKey, isId } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

export async function loadKey({ rows }: Call, id: string): Promise<ApiKey> {
  const key = isId('key', id) ? await rows.keys.get(id) : null
  if (key === null) throw notFound('API key')
  return key
}
