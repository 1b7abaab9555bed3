import { quote, suggestion } from '@kron/core'
import { helpText, type Instrument, labelText } from './exposition-text.js'
import { badMetric, type MetricOptions } from './metric-options.js'

export type LabelValues<Label extends string> = Readonly<Record<Label, string>>

/** All that is measured under one name, told apart by labels. */
export interface Labelled<Label extends string, Measured> {
  /** Keep the answer where values come often: to measure with it costs next to nothing. */
  with(values: LabelValues<Label>): Measured
  /** Forgets a label set; what was kept of it measures on, unseen. */
  remove(values: LabelValues<Label>): void
}

export type MetricType = 'counter' | 'gauge' | 'histogram'

export interface FamilyLimit {
  readonly labelSets: number
  readonly onDropped: () => void
}

export class Family<Measured extends Instrument> implements Labelled<string, Measured> {
  readonly #options: MetricOptions<string>
  readonly #labels: readonly string[]
  readonly #type: MetricType
  readonly #create: () => Measured
  readonly #limit: FamilyLimit
  readonly #measured = new Map<string, Measured>()

  constructor(
    options: MetricOptions<string>,
    type: MetricType,
    create: () => Measured,
    limit: FamilyLimit,
  ) {
    this.#options = options
    this.#labels = [...(options.labels ?? [])]
    this.#type = type
    this.#create = create
    this.#limit = limit
  }

  /** Beyond the limit it measures all the same, but nobody will see it. */
  with(values: LabelValues<string>): Measured {
    const key = this.#key(values)
    const known = this.#measured.get(key)
    if (known !== undefined) return known
    const created = this.#create()
    if (this.#measured.size < this.#limit.labelSets) this.#measured.set(key, created)
    else this.#limit.onDropped()
    return created
  }

  remove(values: LabelValues<string>): void {
    this.#measured.delete(this.#key(values))
  }

  expose(lines: string[]): void {
    const { name, help } = this.#options
    lines.push(`# HELP ${name} ${helpText(help)}`, `# TYPE ${name} ${this.#type}`)
    for (const [labels, measured] of this.#measured) measured.expose(lines, name, labels)
  }

  /** The labels as they are exposed, which also tells label sets apart. */
  #key(values: LabelValues<string>): string {
    if (typeof values !== 'object' || values === null) {
      throw badMetric('label values', values, `an object with ${this.#names()}`)
    }
    for (const name of Object.keys(values)) {
      if (this.#labels.includes(name)) continue
      const where = `one of ${this.#names()} of ${this.#options.name}`
      throw badMetric('label', name, where, suggestion(name, this.#labels))
    }
    return this.#labels.map((name) => this.#pair(name, values[name])).join(',')
  }

  #pair(name: string, value: unknown): string {
    if (typeof value === 'string') return labelText(name, value)
    throw badMetric(`label ${quote(name)} of ${this.#options.name}`, value, 'text')
  }

  #names(): string {
    return this.#labels.length === 0 ? 'no labels' : this.#labels.join(', ')
  }
}
