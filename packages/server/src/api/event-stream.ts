import type { Clock } from '@kron/runtime'
import { instantText } from '../domain/index.js'
import type { RunEvent } from '../store/index.js'

interface EventStreamOptions {
  readonly clock: Clock
  readonly heartbeatMs: number
  /** Events that may wait for a reader; a reader with more is disconnected. */
  readonly backlog: number
  /** Aborts when the reader is gone, or may read no more, or the server stops. */
  readonly signal: AbortSignal
  subscribe(listener: (event: RunEvent) => void): () => void
  onEnd(): void
}

const encoder = new TextEncoder()

/** Events as text/event-stream, until the reader goes, is too slow, or may no longer. */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { backlog, signal } = options
  const ending = new AbortController()
  const end = (): void => ending.abort()
  let count = 0
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string): void => {
          if (ending.signal.aborted) return
          // The backlog of a reader that does not read must not fill the memory.
          if ((controller.desiredSize ?? 0) <= 0) end()
          else controller.enqueue(encoder.encode(text))
        }
        const unsubscribe = options.subscribe((event) => send(eventText(++count, event)))
        ending.signal.addEventListener('abort', () => {
          unsubscribe()
          signal.removeEventListener('abort', end)
          closeQuietly(controller)
          options.onEnd()
        })
        if (signal.aborted) end()
        else signal.addEventListener('abort', end)
        send(': connected\n\n')
        void beat(options, ending.signal, send).then(end, end)
      },
      cancel: end,
    },
    { highWaterMark: backlog },
  )
}

/** Keeps proxies from closing a quiet connection, and finds readers that are gone. */
async function beat(
  { clock, heartbeatMs }: EventStreamOptions,
  signal: AbortSignal,
  send: (text: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(heartbeatMs, signal)
    send(': heartbeat\n\n')
  }
}

function eventText(id: number, { type, subject, status, at }: RunEvent): string {
  const data = JSON.stringify({ type, subject, status, at: instantText(at) })
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`
}

/** The reader may have closed it before. */
function closeQuietly(controller: ReadableStreamDefaultController): void {
  try {
    controller.close()
  } catch {
    // It is closed, which is all that was wanted.
  }
}
