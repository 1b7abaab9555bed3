import type { Instrument } from './exposition-text.js'
import { Family, type Labelled, type MetricType } from './family.js'
import { bucketsOf, Counter, Gauge, Histogram } from './instruments.js'
import {
  badMetric,
  checkBuckets,
  checkMetricOptions,
  type HistogramOptions,
  type MetricOptions,
  type ReadOptions,
} from './metric-options.js'

/** Of one metric; a label with a value of its own for each request would fill the memory. */
export const maxLabelSets = 10_000

/** The metrics of one process, and their text for Prometheus. */
export class MetricRegistry {
  readonly #families: Family<Instrument>[] = []
  readonly #sampleNames = new Set<string>()
  readonly #dropped: Counter

  constructor() {
    this.#dropped = this.counter({
      name: 'kron_metrics_dropped_total',
      help: `Label sets that were left out because a metric has ${maxLabelSets} already.`,
    })
  }

  counter(options: ReadOptions): Counter
  counter<Label extends string>(options: MetricOptions<Label>): Labelled<Label, Counter>
  counter(
    options: MetricOptions<string> & Pick<ReadOptions, 'read'>,
  ): Counter | Labelled<string, Counter> {
    checkMetricOptions(options)
    const read = readOf(options)
    return this.#added(options, 'counter', () => new Counter(read), [''])
  }

  gauge(options: ReadOptions): Gauge
  gauge<Label extends string>(options: MetricOptions<Label>): Labelled<Label, Gauge>
  gauge(
    options: MetricOptions<string> & Pick<ReadOptions, 'read'>,
  ): Gauge | Labelled<string, Gauge> {
    checkMetricOptions(options)
    const read = readOf(options)
    const create = (): Gauge => {
      const gauge = new Gauge()
      if (read !== null) gauge.follow(read)
      return gauge
    }
    return this.#added(options, 'gauge', create, [''])
  }

  histogram(options: HistogramOptions): Histogram
  histogram<Label extends string>(options: HistogramOptions<Label>): Labelled<Label, Histogram>
  histogram(options: HistogramOptions<string>): Histogram | Labelled<string, Histogram> {
    checkMetricOptions(options, 'le')
    checkBuckets(options.buckets)
    const buckets = bucketsOf(options.buckets)
    const suffixes = ['', '_bucket', '_sum', '_count']
    return this.#added(options, 'histogram', () => new Histogram(buckets), suffixes)
  }

  /** Everything, in the order in which it was declared. */
  expose(): string {
    const lines: string[] = []
    for (const family of this.#families) family.expose(lines)
    return `${lines.join('\n')}\n`
  }

  #added<Measured extends Instrument>(
    options: MetricOptions<string>,
    type: MetricType,
    create: () => Measured,
    suffixes: readonly string[],
  ): Measured | Labelled<string, Measured> {
    const { name, labels = [] } = options
    const sampleNames = suffixes.map((suffix) => name + suffix)
    for (const taken of sampleNames) {
      if (this.#sampleNames.has(taken)) throw badMetric('name', taken, 'declared once')
    }
    for (const sampleName of sampleNames) this.#sampleNames.add(sampleName)
    const limit = { labelSets: maxLabelSets, onDropped: () => this.#dropped.increment() }
    const family = new Family(options, type, create, limit)
    this.#families.push(family)
    return labels.length === 0 ? family.with({}) : family
  }
}

function readOf({
  read,
  labels = [],
}: MetricOptions<string> & Pick<ReadOptions, 'read'>): (() => number) | null {
  if (read === undefined) return null
  if (typeof read !== 'function') throw badMetric('read', read, 'a function')
  if (labels.length > 0) {
    throw badMetric('read', read, 'left out where there are labels: each follows its own')
  }
  return read
}
