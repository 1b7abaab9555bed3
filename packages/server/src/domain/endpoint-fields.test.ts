import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultDefinition, definitionOf, draftOf } from './endpoint.js'
import { type EndpointField, endpointFields, fieldNames } from './endpoint-fields.js'

const page = new URL('../../../../docs/server-api.md', import.meta.url)
const heading = '| field | takes | default | is |\n| --- | --- | --- | --- |\n'

function documented(): string {
  return heading + fieldNames.map((name) => rowOf(name, endpointFields[name])).join('')
}

const rowOf = (name: string, field: EndpointField): string =>
  `| \`${name}\` | ${takenBy(field)} | ${defaultOf(field)} | ${field.text} |\n`

function takenBy(field: EndpointField): string {
  switch (field.kind) {
    case 'own':
      return field.takes
    case 'text':
      return `${field.min} to ${numberText(field.max)} characters`
    case 'whole':
      return `${field.min} to ${numberText(field.max)}`
    case 'choice':
      return field.values.map((value) => `\`${value}\``).join(', ')
    case 'switch':
      return '`true`, `false`'
  }
}

function defaultOf(field: EndpointField): string {
  if (!('default' in field)) return 'required'
  const { default: value } = field
  if (value === null) return 'none'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

const numberText = (value: number): string => value.toLocaleString('en-US')

describe('the fields of an endpoint', () => {
  it('are documented as the table says', () => {
    const text = readFileSync(page, 'utf8')
    const start = text.indexOf('| field | takes |')
    const end = text.indexOf('\n\n', start) + 1
    if (process.env['KRON_REFRESH_DOCUMENTATION'] === '1') {
      writeFileSync(page, text.slice(0, start) + documented() + text.slice(end))
    } else {
      expect(text.slice(start, end)).toBe(documented())
    }
  })

  it('have a default, all but a name and a URL', () => {
    const required = fieldNames.filter((name) => !('default' in endpointFields[name]))
    expect(required).toEqual(['name', 'url'])
  })

  it('are the same after a definition was written as a draft', () => {
    const definition = { ...defaultDefinition, name: 'a', url: 'https://x.example/' }
    const again = definitionOf(draftOf({ definition }), definition.headers)
    expect(again).toEqual(definition)
  })
})
