import { ConfigurationError, quote, suggestion } from '@kron/core'

/** What a run tells the request it makes. */
export interface TemplateValues {
  readonly runId: string
  /** RFC 3339. */
  readonly scheduledFor: string
  readonly attempt: number
}

/** Where the text stands, which decides how values are written into it. */
export type TemplatePlace = 'url' | 'header' | 'json' | 'text'

export interface Template {
  readonly hasPlaceholders: boolean
  render(values: TemplateValues): string
}

type Placeholder = keyof TemplateValues
const placeholders: readonly Placeholder[] = ['runId', 'scheduledFor', 'attempt']
const longestShown = 100
const form = placeholders.map((name) => `{{${name}}}`).join(', ')

const writers: Readonly<Record<TemplatePlace, (value: string) => string>> = {
  url: encodeURIComponent,
  header: (value) => value,
  // Within the quotes that the template has around it; a number needs none.
  json: (value) => JSON.stringify(value).slice(1, -1),
  text: (value) => value,
}

/** Reads `{{runId}}` and the like; throws at the place of a placeholder that does not exist. */
export function compileTemplate(text: string, place: TemplatePlace, field = 'template'): Template {
  const literals: string[] = []
  const names: Placeholder[] = []
  let from = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', from)) {
    const end = text.indexOf('}}', start)
    if (end === -1) throw invalid(text, field, start, text.length, 'has no }} to end it')
    const name = text.slice(start + 2, end).trim()
    if (!isPlaceholder(name)) {
      const reason = `does not exist${suggestion(name, placeholders)}`
      throw invalid(text, field, start, end + 2, reason)
    }
    literals.push(text.slice(from, start))
    names.push(name)
    from = end + 2
  }
  if (names.length === 0) return { hasPlaceholders: false, render: () => text }
  return { hasPlaceholders: true, render: renderer(literals, names, text.slice(from), place) }
}

function renderer(
  literals: readonly string[],
  names: readonly Placeholder[],
  last: string,
  place: TemplatePlace,
): Template['render'] {
  const write = writers[place]
  return (values) => {
    let rendered = ''
    for (let index = 0; index < names.length; index++) {
      rendered += literals[index]! + write(String(values[names[index]!]))
    }
    return rendered + last
  }
}

const isPlaceholder = (name: string): name is Placeholder =>
  (placeholders as readonly string[]).includes(name)

function invalid(
  text: string,
  field: string,
  position: number,
  end: number,
  reason: string,
): ConfigurationError {
  const value = text.slice(position, Math.min(end, position + longestShown))
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `${field} has a placeholder ${quote(value)} at position ${position} that ${reason}`,
    { field, value, allowed: form, position, length: end - position },
  )
}
