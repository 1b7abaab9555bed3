import { eventStream } from '../event-stream.js'
import { type Operation, operation } from '../operation.js'
import { ApiError } from '../problem.js'
import { StreamWatch } from '../stream-watch.js'

/** Streams that are open, by tenant. */
class OpenStreams {
  readonly #open = new Map<string, number>()

  enter(tenantId: string, most: number): void {
    const open = this.#open.get(tenantId) ?? 0
    if (open >= most) {
      const message = `The tenant may have ${most} event streams open at once.`
      throw new ApiError('too_many_streams', message, { headers: { 'retry-after': '15' } })
    }
    this.#open.set(tenantId, open + 1)
  }

  leave(tenantId: string): void {
    const open = (this.#open.get(tenantId) ?? 1) - 1
    if (open === 0) this.#open.delete(tenantId)
    else this.#open.set(tenantId, open)
  }
}

/** Each app counts its own streams, and watches them. */
export function eventOperations(): readonly Operation[] {
  const streams = new OpenStreams()
  let watch: StreamWatch | null = null
  return [
    operation({
      operationId: 'followEvents',
      method: 'get',
      path: '/events',
      tag: 'Events',
      summary: 'Follow events as they happen (server-sent events)',
      description:
        'Events are run.started, run.ended, endpoint.changed and job.changed. They are not ' +
        'kept: after a gap, read the lists again. Comments keep the connection open. Slow ' +
        'readers are disconnected.',
      scope: 'read',
      answer: { status: 200, description: 'The events', contentType: 'text/event-stream' },
      problems: ['too_many_streams'],
      async respond(_, { context, ports, caller }) {
        const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
        if (context.req.method === 'HEAD') return context.body(null, 200, headers)
        const { store, clock, limits, stopping } = ports
        const tenantId = caller.tenant.id
        streams.enter(tenantId, limits.streamsPerTenant)
        watch ??= new StreamWatch({
          ...ports,
          everyMs: limits.streamCheckMs,
          patienceMs: limits.heartbeatMs,
        })
        const unwelcome = new AbortController()
        const { key, session } = caller
        const forget = watch.add({ keyId: key.id, session, end: () => unwelcome.abort() })
        const stream = eventStream({
          clock,
          heartbeatMs: limits.heartbeatMs,
          backlog: limits.streamBacklog,
          signal: AbortSignal.any([stopping, context.req.raw.signal, unwelcome.signal]),
          subscribe: (listener) => store.signals.onEvent(tenantId, listener),
          onEnd: () => {
            forget()
            streams.leave(tenantId)
          },
        })
        return context.body(stream, 200, headers)
      },
    }),
  ]
}
