import type { ApiLimits } from '../api-options.js'
import { ApiError } from '../problem/index.js'
import { jsonFlawPosition } from './json-flaw.js'
import { jsonLimitBroken } from './json-limits.js'
import { readBody } from './read-body.js'

const jsonTypes = /^application\/(?:json|merge-patch\+json)\s*(?:;\s*charset="?utf-8"?\s*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON value of a body; undefined when there is none, whatever type was announced for it. */
export async function readJson(request: Request, limits: ApiLimits): Promise<unknown> {
  const bytes = await readBody(request, limits.bodyBytes)
  if (bytes.byteLength === 0) return undefined
  const type = request.headers.get('content-type')
  if (type === null || !jsonTypes.test(type)) {
    throw new ApiError('media_type_unsupported', 'Send the body as application/json in UTF-8.')
  }
  checkEncoding(request.headers.get('content-encoding'))
  const value = parsed(bytes)
  const broken = jsonLimitBroken(value, limits)
  if (broken !== null) throw new ApiError('validation_failed', broken.message, { errors: [broken] })
  return value
}

/** What is compressed would be read as what it is not, and could be far larger than it looks. */
function checkEncoding(encoding: string | null): void {
  if (encoding === null || encoding.trim().toLowerCase() === 'identity') return
  const headers = { 'accept-encoding': 'identity' }
  throw new ApiError('media_type_unsupported', 'Send the body without an encoding.', { headers })
}

function parsed(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ApiError('json_invalid', 'The body is not UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    const position = jsonFlawPosition(text)
    const message = `The body is not JSON from character ${position} on.`
    const errors = [{ field: 'body', code: 'json_invalid', message, position }]
    throw new ApiError('json_invalid', message, { errors })
  }
}
