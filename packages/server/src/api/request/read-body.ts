import { ApiError } from '../problem/index.js'

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
    throw new ApiError('request_invalid', 'The body did not arrive as a whole.')
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body must have ${maxBytes} bytes at most.`, {
    // What is left of the body is not read, so the connection is of no use any more.
    headers: { connection: 'close' },
  })
}
