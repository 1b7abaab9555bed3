import type { Readable } from 'node:stream'
import { LineSplitter } from '@kron/runtime'
import { ApiFailure } from '../api-failure.js'
import type { WatchEvent } from '../kube-api.js'
import { watchRefusal } from './answer.js'

/**
 * The events of a watch that has begun. Nothing is read from the network while the consumer is
 * busy. A connection that breaks is an end like any other: what is missing is asked for again.
 */
export async function* watchEvents(
  body: Readable,
  signal: AbortSignal,
  maxLineBytes: number,
): AsyncGenerator<WatchEvent, void> {
  const lines = new LineSplitter({ maxBytes: maxLineBytes, overlong: 'refuse' })
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const chunk = await nextOf(chunks)
      signal.throwIfAborted()
      if (chunk === null) return
      for (const line of splitting(lines, chunk)) {
        const event = parseEvent(line)
        if (event === null) continue
        yield event
        signal.throwIfAborted()
      }
    }
  } finally {
    body.on('error', () => {}).destroy()
  }
}

async function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | null> {
  try {
    const { done, value } = await chunks.next()
    return done === true ? null : value
  } catch {
    return null
  }
}

function* splitting(lines: LineSplitter, chunk: Buffer): Generator<string> {
  try {
    yield* lines.split(chunk)
  } catch (cause) {
    throw broken((cause as Error).message, cause)
  }
}

const types: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])

/** Null for an empty line, and for a kind of event that we don't know. */
function parseEvent(line: string): WatchEvent | null {
  if (line === '') return null
  let parsed: { readonly type?: string; readonly object?: unknown } | null
  try {
    parsed = JSON.parse(line)
  } catch (cause) {
    throw broken('a line is not JSON', cause)
  }
  if (parsed?.type === 'ERROR') throw watchRefusal(parsed.object)
  const { type = '', object } = parsed ?? {}
  if (!types.has(type) || typeof object !== 'object' || object === null) return null
  return parsed as WatchEvent
}

const broken = (what: string, cause: unknown): ApiFailure =>
  new ApiFailure(`the watch can't be read: ${what}`, { status: null, cause })
