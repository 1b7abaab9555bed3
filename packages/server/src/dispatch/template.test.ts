import { ConfigurationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate, type TemplatePlace } from './template.js'

const values = { runId: 'run_1', scheduledFor: '2026-03-01T02:32:20Z', attempt: 2 }
const render = (text: string, place: TemplatePlace = 'text'): string =>
  compileTemplate(text, place).render(values)

describe('a template', () => {
  it.each([
    ['{{runId}}', 'run_1'],
    ['{{ runId }}', 'run_1'],
    ['a{{attempt}}b', 'a2b'],
    ['{{attempt}}{{attempt}}', '22'],
    ['{{scheduledFor}} {{runId}} {{attempt}}', '2026-03-01T02:32:20Z run_1 2'],
    ['{"a":{"b":{{attempt}}}}', '{"a":{"b":2}}'],
  ])('%s becomes %s', (text, rendered) => {
    expect(compileTemplate(text, 'text').hasPlaceholders).toBe(true)
    expect(render(text)).toBe(rendered)
  })

  it.each(['', 'plain', '{runId}', '}}', '{"a":{"b":{}}}', '{ {runId} }'])(
    '%j without placeholders stays as it is',
    (text) => {
      expect(compileTemplate(text, 'json').hasPlaceholders).toBe(false)
      expect(render(text, 'json')).toBe(text)
    },
  )

  it('writes values into a URL percent-encoded', () => {
    expect(render('https://a.test/{{scheduledFor}}?run={{runId}}', 'url')).toBe(
      'https://a.test/2026-03-01T02%3A32%3A20Z?run=run_1',
    )
  })

  it('writes values into headers as they are', () => {
    expect(render('at {{scheduledFor}}', 'header')).toBe('at 2026-03-01T02:32:20Z')
  })

  it('writes any value into a JSON body or a URL so that it can be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (runId) => {
        const json = compileTemplate('{"id":"<{{runId}}>","n":{{attempt}}}', 'json')
        expect(JSON.parse(json.render({ ...values, runId }))).toEqual({ id: `<${runId}>`, n: 2 })
        const url = compileTemplate('http://a.test/x?id={{runId}}&n={{attempt}}', 'url')
        const { searchParams } = new URL(url.render({ ...values, runId }))
        expect(Object.fromEntries(searchParams)).toEqual({ id: runId, n: '2' })
      }),
      { numRuns: 300, seed: 5 },
    )
  })

  it('does not read values as templates', () => {
    const rendered = compileTemplate('{{runId}}', 'text').render({
      ...values,
      runId: '{{attempt}}',
    })
    expect(rendered).toBe('{{attempt}}')
  })

  it.each([
    ['ab {{runid}} c', 3, 9, 'did you mean runId'],
    ['{{}}', 0, 4, 'does not exist'],
    ['{{runId}}{{toString}}', 9, 12, 'does not exist'],
    ['{{{runId}}}', 0, 10, 'does not exist'],
    ['a{{runId', 1, 7, 'has no }} to end it'],
    ['{{runId}} {{', 10, 2, 'has no }} to end it'],
  ])('%s is refused at %d for a length of %d: %s', (text, position, length, reason) => {
    try {
      compileTemplate(text, 'text', 'body')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      const { code, message, details } = error as ConfigurationError
      expect(code).toBe('KRON_FIELD_INVALID')
      expect(message).toContain(reason)
      expect(details).toMatchObject({ field: 'body', position, length })
      expect(details.value).toBe(text.slice(position, position + length))
    }
  })
})
