import { ConfigurationError, quote, ValidationError } from '@kron/core'

export interface MetricOptions<Label extends string = never> {
  readonly name: string
  /** A sentence for people who read the exposition. */
  readonly help: string
  readonly labels?: readonly Label[]
}

export interface ReadOptions extends MetricOptions {
  /** Asked at each scrape, instead of a value that is set. */
  readonly read?: () => number
}

export interface HistogramOptions<Label extends string = never> extends MetricOptions<Label> {
  /** Upper bounds, ascending; the one of infinity is always there and not among them. */
  readonly buckets: readonly number[]
}

const maxLabels = 16
const maxBuckets = 100
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}$/

export function checkMetricOptions(options: MetricOptions<string>, reserved?: string): void {
  if (typeof options !== 'object' || options === null) {
    throw badMetric('options', options, 'an object')
  }
  const { name, help, labels = [] } = options
  if (typeof name !== 'string' || !metricName.test(name)) {
    throw badMetric('name', name, 'letters, digits, _ and :, not beginning with a digit')
  }
  if (typeof help !== 'string' || help === '') {
    throw badMetric('help', help, 'a sentence that is not empty')
  }
  if (!Array.isArray(labels) || labels.length > maxLabels) {
    throw badMetric('labels', labels, `a list of at most ${maxLabels} names`)
  }
  for (const [index, label] of labels.entries()) checkLabelName(label, labels, index, reserved)
}

function checkLabelName(
  label: unknown,
  labels: readonly unknown[],
  index: number,
  reserved: string | undefined,
): void {
  if (typeof label !== 'string' || !labelName.test(label)) {
    throw badMetric('label', label, 'letters, digits and _, not beginning with a digit or __')
  }
  if (label === reserved) throw badMetric('label', label, `another name than ${reserved}`)
  if (labels.indexOf(label) !== index) throw badMetric('label', label, 'named once')
}

export function checkBuckets(buckets: readonly number[]): void {
  const allowed = `a list of 1 to ${maxBuckets} finite numbers in ascending order`
  if (!Array.isArray(buckets) || buckets.length === 0 || buckets.length > maxBuckets) {
    throw badMetric('buckets', buckets, allowed)
  }
  for (const [index, bound] of buckets.entries()) {
    const ascends = index === 0 || bound > buckets[index - 1]
    if (!Number.isFinite(bound) || !ascends) throw badMetric('buckets', bound, allowed)
  }
}

/** A metric that is declared or labelled in a way that can't be exposed. */
export function badMetric(
  field: string,
  value: unknown,
  allowed: string,
  hint = '',
): ConfigurationError {
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `metric ${field} must be ${allowed}, got ${quote(value)}${hint}`,
    { field, value, allowed },
  )
}

export function notMeasurable(field: string, value: unknown, allowed: string): ValidationError {
  return new ValidationError(
    'KRON_FIELD_INVALID',
    `measured ${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}
