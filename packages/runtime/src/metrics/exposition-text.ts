/** What Prometheus calls its text format, version 0.0.4. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Lone surrogates would all become the same bytes, and two label sets one. */
const loneSurrogate = /\p{Surrogate}/gu

export function helpText(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replace(loneSurrogate, '\ufffd')
}

/** `name="value"`. */
export function labelText(name: string, value: string): string {
  const escaped = helpText(value).replaceAll('"', '\\"')
  return `${name}="${escaped}"`
}

export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** One line of the exposition; `labels` are the pairs without their braces. */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${labels === '' ? name : `${name}{${labels}}`} ${numberText(value)}`
}

/** Something that was measured under one set of labels. */
export interface Instrument {
  /** Adds its lines of the exposition. */
  expose(lines: string[], name: string, labels: string): void
}
