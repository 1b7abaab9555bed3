import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Below this a body is stored as it is: to compress it would cost more than it saves. */
const smallBytes = 512
const plain = 0
const deflated = 1

/** A body as it is stored: one byte says how. */
export function packBody(body: Uint8Array): Uint8Array {
  const isSmall = body.byteLength < smallBytes
  const content = isSmall ? body : deflateRawSync(body, { level: 3 })
  const packed = new Uint8Array(content.byteLength + 1)
  packed[0] = isSmall ? plain : deflated
  packed.set(content, 1)
  return packed
}

export function unpackBody(packed: Uint8Array): Uint8Array {
  const content = packed.subarray(1)
  return packed[0] === deflated ? new Uint8Array(inflateRawSync(content)) : content
}
