import { expect, it } from 'vitest'
import { type Environment, tracingSettings } from './tracing-settings.js'

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
const usual = { url: 'http://collector:4318/v1/traces', serviceName: 'kron', sampled: 1 }

it.each<[string, Environment, ReturnType<typeof tracingSettings>]>([
  ['nothing is said', {}, null],
  ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
  ['an endpoint', collector, usual],
  [
    'an endpoint of traces, which is taken as it is',
    { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:1/x' },
    { ...usual, url: 'http://other:1/x' },
  ],
  ['a name', { ...collector, OTEL_SERVICE_NAME: 'jobs' }, { ...usual, serviceName: 'jobs' }],
  ['all of it disabled', { ...collector, OTEL_SDK_DISABLED: 'true' }, null],
  ['no exporter of traces', { ...collector, OTEL_TRACES_EXPORTER: 'none' }, null],
  [
    'a part of them',
    { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    { ...usual, sampled: 0.25 },
  ],
  [
    'a part of those that begin here',
    { ...collector, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    { ...usual, sampled: 0 },
  ],
  [
    'a part that is no part',
    { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
    usual,
  ],
  ['none', { ...collector, OTEL_TRACES_SAMPLER: 'always_off' }, { ...usual, sampled: 0 }],
])('traces: %s', (_, env, expected) => {
  expect(tracingSettings(env)).toEqual(expected)
})
