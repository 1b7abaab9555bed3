import { ConfigurationError, KronError, nearest, suggestion } from '@kron/core'
import type { Place } from '@kron/preview'
import { type Command, commandOf } from './command.js'
import { FieldScanner, type ScannedField, type Span } from './field-scanner.js'
import { type FieldsDraft, fieldNames, readField, repeatableField } from './job-fields.js'

export interface ReadFields {
  readonly draft: FieldsDraft
  readonly command: Command | undefined
  /** The fields that were given, valid or not. */
  readonly spans: ReadonlyMap<string, Span>
  /** Fields that were meant, as far as one can tell: misspelled, or cut off by a quote. */
  readonly meant: ReadonlySet<string>
}

/** Reads the fields of a line from an index on, and reports each that is wrong. */
export function readFields(line: SourceLine, from: number): ReadFields {
  const draft: FieldsDraft = { given: {}, env: new Map() }
  const fields = new Map<string, ScannedField>()
  const meant = new Set<string>()
  for (const field of scanFields(line, from, meant)) {
    const { name, value, nameSpan } = field
    const error = misnamed(name, fields)
    if (error !== null) {
      line.report(nameSpan, error)
      for (const close of nearest(name, fieldNames, 1)) meant.add(close)
    } else {
      fields.set(name, field)
      const read = () => readField(name, value.text, draft)
      attempt(line, read, (cause) => spanOf(field, cause))
    }
  }
  const spans = new Map([...fields].map(([name, field]) => [name, valueSpan(field)]))
  return { draft, command: commandIn(line, fields.get('command'), draft), spans, meant }
}

function scanFields(line: SourceLine, from: number, meant: Set<string>): ScannedField[] {
  const scanner = new FieldScanner(line.text, from)
  const fields: ScannedField[] = []
  for (;;) {
    const field = attempt(
      line,
      () => scanner.next(),
      ({ details: { field: name, position = 0, length } }) => {
        meant.add(name)
        return { start: position, end: position + Number(length ?? 1) }
      },
    )
    if (field === null) return fields
    if (field !== undefined) fields.push(field)
  }
}

function commandIn(
  line: SourceLine,
  field: ScannedField | undefined,
  { given }: FieldsDraft,
): Command | undefined {
  if (field === undefined) return undefined
  const read = () => commandOf(field.value, given.shell ?? false)
  return attempt(line, read, (cause) => spanOf(field, cause))
}

function misnamed(name: string, given: ReadonlyMap<string, unknown>): ConfigurationError | null {
  if (!fieldNames.includes(name)) {
    const allowed = fieldNames.join(', ')
    const hint = suggestion(name, fieldNames) || `, known are ${allowed}`
    const details = { field: name, value: name, allowed, nearest: nearest(name, fieldNames) }
    return new ConfigurationError('KRON_FIELD_UNKNOWN', `unknown field ${name}${hint}`, details)
  }
  if (!given.has(name) || name === repeatableField) return null
  return new ConfigurationError('KRON_FIELD_REPEATED', `${name} is given a second time`, {
    field: name,
    allowed: `${name} at most once`,
  })
}

function spanOf(field: ScannedField, { details }: KronError): Span {
  const { position, length } = details
  if (position === undefined) return valueSpan(field)
  return field.value.spanOf(position, typeof length === 'number' ? length : 1)
}

/** An empty value has no characters to point at, so its name is pointed at. */
function valueSpan({ value, nameSpan }: ScannedField): Span {
  return value.start < value.end ? { start: value.start, end: value.end } : nameSpan
}

/** A line of a file, and where its problems go. */
export interface SourceLine {
  readonly file: string
  readonly number: number
  readonly text: string
  readonly report: (span: Span, error: KronError) => void
}

export function placeIn(line: SourceLine, span: Span): Place {
  return {
    file: line.file,
    line: line.number,
    column: span.start + 1,
    length: span.end - span.start,
    source: line.text,
  }
}

/** The result of some work; undefined when it failed, which has then been reported. */
export function attempt<T>(
  line: SourceLine,
  work: () => T,
  spanOf: (error: KronError) => Span,
): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    line.report(spanOf(error), error)
    return undefined
  }
}
