import type { ApiLimits } from '../api-ports.js'
import { ApiError } from '../problem.js'
import { jsonLimitBroken } from './json-limits.js'

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
  throw new ApiError('media_type_unsupported', 'Send the body without a content-encoding.', {
    headers,
  })
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
  } catch (error) {
    const position = flawPosition(text, (error as Error).message)
    const where = position === null ? '' : ` from character ${position} on`
    const message = `The body is not JSON${where}.`
    const errors = [
      { field: 'body', code: 'json_invalid', message, ...(position !== null && { position }) },
    ]
    throw new ApiError('json_invalid', message, { errors })
  }
}

/** Where the engine stopped, in its own words; null for an unexpected token, which it only quotes. */
function flawPosition(text: string, words: string): number | null {
  if (words.endsWith('end of JSON input')) return text.length
  const said = /at position (\d+)(?: \(.*\))?$/.exec(words)?.[1]
  return said === undefined ? null : Number(said)
}

/** All bytes of a request, read no further than the limit. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await readChunk(reader)
    if (done) return Buffer.concat(chunks)
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ done: true; value?: undefined } | { done: false; value: Uint8Array }> {
  try {
    const { done, value } = await reader.read()
    return done ? { done } : { done, value }
  } catch {
    // The client went away or was cut off; nobody is left to read the answer.
    throw new ApiError('request_invalid', 'The body did not arrive completely.')
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body must have ${maxBytes} bytes at most.`, {
    // What is left of the body is not read, so the connection is of no use any more.
    headers: { connection: 'close' },
  })
}
