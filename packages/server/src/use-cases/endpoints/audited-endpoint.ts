import type { Endpoint } from '../../domain/index.js'
import { draftOf } from './endpoint-draft.js'

type Fields = Readonly<Record<string, unknown>>

/** What the audit log keeps of a definition: of headers the names, of a body its size. */
export function auditedEndpoint(endpoint: Endpoint): Fields {
  const { definition, jobId, archivedAt } = endpoint
  const { body } = definition
  return {
    jobId,
    ...draftOf(endpoint),
    headers: Object.keys(definition.headers),
    body: body === null ? null : { ...body, content: `${body.content.length} characters` },
    archived: archivedAt !== null,
  }
}
