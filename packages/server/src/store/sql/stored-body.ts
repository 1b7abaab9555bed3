import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Outcome } from '../../scheduling/index.js'
import type { StoredBodyOf } from './hot-statements.js'

/** Below this a body is stored as it is: to compress it would cost more than it saves. */
const smallBytes = 512
/** From this on another thread compresses it. */
const largeBytes = 16 * 1024
const options = { level: 3 }
const plain = 0
const deflated = 1

const deflateBeside = promisify<Uint8Array, typeof options, Uint8Array>(deflateRaw)

/**
 * The bodies of responses as they are stored. Made before a transaction begins: it holds rows that
 * others wait for, and is given up when it is silent for long.
 */
export async function storedBodies(outcomes: readonly Outcome[]): Promise<StoredBodyOf> {
  const large = outcomes.filter(({ response }) => (response?.body.byteLength ?? 0) >= largeBytes)
  const packed = new Map<Outcome, Uint8Array>()
  await Promise.all(
    large.map(async (outcome) => {
      packed.set(outcome, marked(deflated, await deflateBeside(outcome.response!.body, options)))
    }),
  )
  return (outcome) => {
    const body = outcome.response?.body
    if (body === undefined || body.byteLength === 0) return null
    return packed.get(outcome) ?? packBody(body)
  }
}

function packBody(body: Uint8Array): Uint8Array {
  if (body.byteLength < smallBytes) return marked(plain, body)
  return marked(deflated, deflateRawSync(body, options))
}

/** One byte says how the content is to be read. */
function marked(mark: number, content: Uint8Array): Uint8Array {
  const packed = new Uint8Array(content.byteLength + 1)
  packed[0] = mark
  packed.set(content, 1)
  return packed
}

export function unpackBody(packed: Uint8Array): Uint8Array {
  const content = packed.subarray(1)
  return packed[0] === deflated ? new Uint8Array(inflateRawSync(content)) : content
}
