export { openTracing, type Tracing } from './open-tracing.js'
export { traceRequest } from './request-trace.js'
export { RunTrace, traceClaim } from './run-trace.js'
export { type TracingSettings, tracingSettings } from './tracing-settings.js'
