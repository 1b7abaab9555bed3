import type { Clock, Log } from '@kron/runtime'
import { DiagLogLevel, diag, type Tracer } from '@opentelemetry/api'
import type { TracingSettings } from './tracing-settings.js'

export interface Tracing {
  readonly tracer: Tracer
  /** Sends what waits, for a moment at most. */
  close(): Promise<void>
}

/** A collector that is away must not keep a process from ending. */
const lastSendMs = 3_000

/** What it takes is loaded here: who wants no traces does not pay for it. */
export async function openTracing(
  { url, serviceName, sampled }: TracingSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Tracing> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  )
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace')
  const say = (text: string): void => log.warn('tracing_failed', { error: messageIn(text) })
  hearFailures(say)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  return {
    tracer: provider.getTracer('kron'),
    close: async () => {
      const patience = new AbortController()
      const late = clock.sleep(lastSendMs, patience.signal).catch(() => undefined)
      await Promise.race([provider.shutdown().catch((error) => say(String(error))), late])
      patience.abort()
    },
  }
}

/** Errors arrive as all of their fields in JSON, stack and all. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    return text
  }
}

/** Traces that can't be sent are dropped, and the log says so. */
function hearFailures(say: (message: string) => void): void {
  const nothing = (): void => undefined
  const logger = { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
