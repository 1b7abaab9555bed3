import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatField, formatLine } from './format-line.js'
import { parseKrontab } from './parse-krontab.js'

const path = '/etc/krond.d/a.krontab'
const character = fc.oneof(
  fc.constantFrom('"', "'", '\\', '#', '=', ' ', '\t', '@tz(', ')', '$', '%', 'é', '👋', '\u2028'),
  fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
)
const anyText = fc
  .array(character, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no line can hold these
  .filter((text) => !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text))

describe('a line that was written', () => {
  it('is read with every value as it was', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (command, value, description) => {
        fc.pre(command.trim() !== '')
        const line = formatLine('0 3 * * *', [
          ['name', 'a'],
          ['command', command],
          ['shell', 'true'],
          ['env', `A=${value}`],
          ['env', 'B='],
          ['description', description],
        ])
        const { jobs, problems } = parseKrontab(`${line}\n`, path)
        expect(problems).toEqual([])
        expect(jobs[0]).toMatchObject({
          command: { kind: 'shell', text: command },
          env: { A: value, B: '' },
          description,
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('has quotes only where they are needed', () => {
    expect(formatField('command', '/usr/bin/true')).toBe('command=/usr/bin/true')
    expect(formatField('env', 'LANG=C')).toBe('env=LANG=C')
    expect(formatField('env', 'A=b c')).toBe('env=A="b c"')
    expect(formatField('command', 'say "hi" \\o/')).toBe('command="say \\"hi\\" \\\\o/"')
  })

  it.each(['a\nb', 'a\rb', 'a\u0007', '\ud800'])('is refused with %j', (value) => {
    expect(() => formatField('command', value)).toThrow(/can't hold/)
  })
})
