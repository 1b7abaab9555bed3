import { ConfigurationError, ValidationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MetricRegistry, maxLabelSets } from './metric-registry.js'

const exposed = (registry: MetricRegistry): string[] =>
  registry
    .expose()
    .split('\n')
    .filter((line) => !line.includes('kron_metrics_dropped_total'))

const registry = () => new MetricRegistry()

describe('a registry of metrics', () => {
  it('exposes a counter without labels from the start', () => {
    const metrics = registry()
    const starts = metrics.counter({ name: 'starts_total', help: 'Starts.' })
    expect(exposed(metrics)).toEqual([
      '# HELP starts_total Starts.',
      '# TYPE starts_total counter',
      'starts_total 0',
      '',
    ])
    starts.increment()
    starts.increment(2.5)
    expect(exposed(metrics)).toContain('starts_total 3.5')
    expect(starts.value).toBe(3.5)
  })

  it('says help and type once for all label sets of a name', () => {
    const metrics = registry()
    const periods = metrics.counter({
      name: 'periods_total',
      help: 'Periods by outcome.',
      labels: ['outcome', 'job'],
    })
    const executed = periods.with({ outcome: 'executed', job: 'a' })
    executed.increment()
    periods.with({ job: 'a', outcome: 'executed' }).increment()
    periods.with({ outcome: 'missed', job: 'a' }).increment(3)
    expect(exposed(metrics)).toEqual([
      '# HELP periods_total Periods by outcome.',
      '# TYPE periods_total counter',
      'periods_total{outcome="executed",job="a"} 2',
      'periods_total{outcome="missed",job="a"} 3',
      '',
    ])
    periods.remove({ outcome: 'executed', job: 'a' })
    expect(metrics.expose()).not.toContain('executed')
  })

  it('reads a gauge when it is scraped, and shows NaN when that fails', () => {
    const metrics = registry()
    let running = 3
    metrics.gauge({ name: 'running', help: 'Now.', read: () => running })
    const fails = metrics.gauge({ name: 'broken', help: 'Fails.' })
    fails.follow(() => {
      throw new ConfigurationError('KRON_SYSTEM', 'gone', { field: 'gone' })
    })
    metrics.gauge({ name: 'odd', help: 'Odd.', read: () => 'x' as unknown as number })
    const set = metrics.gauge({ name: 'queue', help: 'Set.' })
    set.set(5)
    set.add(-7)
    expect(exposed(metrics)).toEqual(
      expect.arrayContaining(['running 3', 'broken NaN', 'odd NaN', 'queue -2']),
    )
    running = 4
    expect(exposed(metrics)).toContain('running 4')
  })

  it('lets each label set of a gauge follow a function of its own', () => {
    const metrics = registry()
    const jobs = metrics.gauge({ name: 'jobs', help: 'Jobs.', labels: ['phase'] })
    jobs.with({ phase: 'waiting' }).follow(() => 12)
    jobs.with({ phase: 'suspended' }).set(Number.POSITIVE_INFINITY)
    expect(exposed(metrics)).toEqual(
      expect.arrayContaining(['jobs{phase="waiting"} 12', 'jobs{phase="suspended"} +Inf']),
    )
  })

  it('adds up the buckets of a histogram, bounds included, infinity last', () => {
    const metrics = registry()
    const late = metrics.histogram({
      name: 'late_seconds',
      help: 'Lateness.',
      labels: ['job'],
      buckets: [0.1, 1, 10],
    })
    const ofA = late.with({ job: 'a' })
    for (const value of [0, 0.1, 0.5, 10, 11]) ofA.observe(value)
    expect(exposed(metrics)).toEqual([
      '# HELP late_seconds Lateness.',
      '# TYPE late_seconds histogram',
      'late_seconds_bucket{job="a",le="0.1"} 2',
      'late_seconds_bucket{job="a",le="1"} 3',
      'late_seconds_bucket{job="a",le="10"} 4',
      'late_seconds_bucket{job="a",le="+Inf"} 5',
      'late_seconds_sum{job="a"} 21.6',
      'late_seconds_count{job="a"} 5',
      '',
    ])
    expect([ofA.count, ofA.sum]).toEqual([5, 21.6])
  })

  it('has no stray comma in a histogram without labels', () => {
    const metrics = registry()
    metrics.histogram({ name: 'h', help: 'H.', buckets: [1] }).observe(2)
    expect(exposed(metrics)).toEqual(
      expect.arrayContaining([
        'h_bucket{le="1"} 0',
        'h_bucket{le="+Inf"} 1',
        'h_sum 2',
        'h_count 1',
      ]),
    )
  })

  it('escapes help and label values, each by its own rules', () => {
    const metrics = registry()
    const jobs = metrics.counter({ name: 'a_total', help: 'a "b" \\ c\nd', labels: ['job'] })
    jobs.with({ job: 'q"\\\nz' }).increment()
    expect(exposed(metrics)).toEqual([
      '# HELP a_total a "b" \\\\ c\\nd',
      '# TYPE a_total counter',
      'a_total{job="q\\"\\\\\\nz"} 1',
      '',
    ])
  })

  it('tells any two label sets apart and keeps each on a line of its own', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 })
    const pair = fc.tuple(text, text)
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: String, maxLength: 20 }), (pairs) => {
        const distinct = new Set(pairs.map((values) => JSON.stringify(values)))
        const metrics = registry()
        const counter = metrics.counter({ name: 'x', help: 'X.', labels: ['a', 'b'] })
        for (const [a, b] of pairs) counter.with({ a, b }).increment()
        const lines = exposed(metrics).filter((line) => line.startsWith('x{'))
        expect(new Set(lines).size).toBe(distinct.size)
        for (const line of lines) {
          expect(line).toMatch(/^x\{a="(?:[^"\\\n]|\\["\\n])*",b="(?:[^"\\\n]|\\["\\n])*"\} 1$/)
        }
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('does not show two series that are the same once they are bytes', () => {
    const metrics = registry()
    const counter = metrics.counter({ name: 'x', help: 'X.', labels: ['a'] })
    counter.with({ a: '\ud800' }).increment()
    counter.with({ a: '\udfff' }).increment()
    expect(exposed(metrics)).toContain('x{a="\ufffd"} 2')
  })

  it('counts label sets beyond the limit as dropped, and goes on', () => {
    const metrics = registry()
    const counter = metrics.counter({ name: 'x', help: 'X.', labels: ['id'] })
    for (let id = 0; id < maxLabelSets + 3; id++) counter.with({ id: `${id}` }).increment()
    const lines = metrics.expose().split('\n')
    expect(lines).toContain('kron_metrics_dropped_total 3')
    expect(lines.filter((line) => line.startsWith('x{'))).toHaveLength(maxLabelSets)
    counter.with({ id: '5' }).increment()
    expect(metrics.expose()).toContain('x{id="5"} 2\n')
  })
})

describe('a metric that can not be exposed', () => {
  const fine = { name: 'x', help: 'X.' }
  const bad = (value: unknown): never => value as never

  it.each([
    ['a name with a dash', { name: 'a-b', help: 'X.' }],
    ['a name that begins with a digit', { name: '1a', help: 'X.' }],
    ['an empty name', { name: '', help: 'X.' }],
    ['no name', bad({ help: 'X.' })],
    ['no options', bad(null)],
    ['no help', { name: 'x', help: '' }],
    ['a label with a colon', { ...fine, labels: ['a:b'] }],
    ['a label of Prometheus itself', { ...fine, labels: ['__name__'] }],
    ['a label twice', { ...fine, labels: ['a', 'a'] }],
    ['labels that are no list', { ...fine, labels: bad('a') }],
  ])('is refused for %s', (_, options) => {
    expect(() => registry().counter(options)).toThrow(ConfigurationError)
    expect(() => registry().gauge(options)).toThrow(ConfigurationError)
    const withBuckets = options === null ? options : { ...(options as typeof fine), buckets: [1] }
    expect(() => registry().histogram(withBuckets as never)).toThrow(ConfigurationError)
  })

  it.each([[[]], [[1, 1]], [[2, 1]], [[Number.NaN]], [[1, Number.POSITIVE_INFINITY]], [bad('x')]])(
    'is refused for buckets %j',
    (buckets) => {
      expect(() => registry().histogram({ ...fine, buckets })).toThrow(ConfigurationError)
    },
  )

  it('is refused for a label of histograms, and for a function beside labels', () => {
    const metrics = registry()
    expect(() => metrics.histogram({ ...fine, labels: ['le'], buckets: [1] })).toThrow(
      /another name than le/,
    )
    const both = { ...fine, labels: ['a'], read: () => 1 }
    expect(() => metrics.gauge(both)).toThrow(ConfigurationError)
    expect(() => metrics.gauge({ ...fine, read: bad(5) })).toThrow(ConfigurationError)
  })

  it('is refused when one of its lines would have the name of another', () => {
    const metrics = registry()
    metrics.histogram({ name: 'x', help: 'X.', buckets: [1] })
    for (const name of ['x', 'x_sum', 'x_count', 'x_bucket']) {
      expect(() => metrics.counter({ name, help: 'X.' })).toThrow(/must be declared once/)
    }
    metrics.counter({ name: 'y_count', help: 'Y.' })
    expect(() => metrics.histogram({ name: 'y', help: 'Y.', buckets: [1] })).toThrow(
      ConfigurationError,
    )
  })
})

describe('labels and values that are wrong', () => {
  const bad = (value: unknown): never => value as never

  it('are refused with what would be right', () => {
    const counter = registry().counter({ name: 'x', help: 'X.', labels: ['outcome'] })
    expect(() => counter.with(bad({ outcom: 'a' }))).toThrow(/did you mean outcome/)
    expect(() => counter.with(bad({}))).toThrow(ConfigurationError)
    expect(() => counter.with(bad({ outcome: 5 }))).toThrow(ConfigurationError)
    expect(() => counter.with(bad({ outcome: 'a', other: 'b' }))).toThrow(ConfigurationError)
    expect(() => counter.with(bad(null))).toThrow(ConfigurationError)
  })

  it('never change what was measured', () => {
    const metrics = registry()
    const counter = metrics.counter({ name: 'c', help: 'C.' })
    const histogram = metrics.histogram({ name: 'h', help: 'H.', buckets: [1] })
    const gauge = metrics.gauge({ name: 'g', help: 'G.' })
    for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, bad('1'), bad(null)]) {
      expect(() => counter.increment(value)).toThrow(ValidationError)
      if (value !== -1) expect(() => histogram.observe(value)).toThrow(ValidationError)
    }
    expect(() => gauge.set(bad('1'))).toThrow(ValidationError)
    expect(() => gauge.add(bad('1'))).toThrow(ValidationError)
    expect(() => gauge.follow(bad(1))).toThrow(ValidationError)
    expect([counter.value, histogram.sum, histogram.count, gauge.value]).toEqual([0, 0, 0, 0])
  })
})
