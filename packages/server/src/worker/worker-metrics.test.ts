import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { away, firstRunOf, minute, WorkerWorld } from '../../testing/worker/worker-world.js'

const world = new WorkerWorld()
const { added, at, between, ms, started } = world
beforeEach(world.open)
afterEach(world.close)

describe('the metrics of a worker', () => {
  const metric = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(world.metrics.expose())?.[1])

  it('tell how many runs are in flight', async () => {
    await added()
    started()
    await at(minute - 1)
    expect(metric('kron_runs_in_flight')).toBe(1)
    await at(minute + 1_000)
    expect(metric('kron_runs_in_flight')).toBe(0)
  })

  it('tell in seconds how late a run was and how long it took', async () => {
    await added()
    const time = () => (ms() < minute + 5_000 ? Promise.reject(away()) : world.store.time())
    started({ store: between({ time }) })
    await at(minute + 6_000)
    expect(metric('kron_run_lateness_seconds_sum')).toBe(5)
    expect(metric('kron_run_duration_seconds_sum')).toBe(0.1)
  })
})

describe('the traces of a worker', () => {
  it('have a span for a claim that brought something, for its run and for each request', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    const endpoint = await added()
    started({ tracer: provider.getTracer('kron') })
    await at(minute + 1_000)
    const spans = exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }))
    expect(spans).toMatchObject([
      { name: 'claim', attributes: { 'kron.claim.runs': 1, 'kron.claim.ended': 0 } },
      { name: 'POST', attributes: { 'kron.attempt': 1 } },
      { name: 'run', attributes: { 'kron.run.id': firstRunOf(endpoint) } },
    ])
    expect(world.sent[0]!.headers).toHaveProperty('traceparent')
    await provider.shutdown()
  })
})
