/** Where traces go and how many, as OpenTelemetry's variables of the environment say. */
export interface TracingSettings {
  /** Of the collector, for OTLP over HTTP. */
  readonly url: string
  readonly serviceName: string
  /** The part of the traces that begin here and are kept. */
  readonly sampled: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/** null: nobody asked for traces. */
export function tracingSettings(env: Environment): TracingSettings | null {
  const url = endpointOf(env)
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none'
  if (url === null || isOff) return null
  return { url, serviceName: env['OTEL_SERVICE_NAME'] || 'kron', sampled: sampledPart(env) }
}

function endpointOf(env: Environment): string | null {
  const ofTraces = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (ofTraces) return ofTraces
  const ofAll = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  return ofAll ? `${ofAll.replace(/\/+$/, '')}/v1/traces` : null
}

function sampledPart(env: Environment): number {
  const sampler = env['OTEL_TRACES_SAMPLER'] ?? ''
  if (sampler.endsWith('always_off')) return 0
  if (!sampler.endsWith('traceidratio')) return 1
  const part = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1')
  return part >= 0 && part <= 1 ? part : 1
}
