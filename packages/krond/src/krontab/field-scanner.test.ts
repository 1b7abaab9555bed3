import { KronError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { FieldScanner } from './field-scanner.js'

function fieldsOf(line: string): [name: string, value: string, quoted: boolean][] {
  const scanner = new FieldScanner(line, 0)
  const fields: [string, string, boolean][] = []
  for (let field = scanner.next(); field !== null; field = scanner.next()) {
    fields.push([field.name, field.value.text, field.value.quoted])
  }
  return fields
}

function failure(line: string): KronError {
  try {
    fieldsOf(line)
  } catch (error) {
    if (error instanceof KronError) return error
  }
  expect.unreachable('the line was accepted')
}

describe('the fields of a line', () => {
  it.each<[string, [string, string, boolean][]]>([
    ['', []],
    ['   \t ', []],
    ['name=a', [['name', 'a', false]]],
    [
      'name=a\tcommand=/bin/true',
      [
        ['name', 'a', false],
        ['command', '/bin/true', false],
      ],
    ],
    ['name=', [['name', '', false]]],
    ['name=""', [['name', '', true]]],
    ['command="a b"', [['command', 'a b', true]]],
    ['env=NAME="a b"', [['env', 'NAME=a b', true]]],
    ['command="say \\"hi\\""', [['command', 'say "hi"', true]]],
    ['command="a\\\\b"', [['command', 'a\\b', true]]],
    ['command="a\\nb"', [['command', 'a\\nb', true]]],
    ['command=C:\\x', [['command', 'C:\\x', false]]],
    ['a="x""y"z', [['a', 'xyz', true]]],
    ['a=1#2', [['a', '1#2', false]]],
    ['a=1 # b=2', [['a', '1', false]]],
    ['a="1 # 2"', [['a', '1 # 2', true]]],
    ['# all comment', []],
    ['env=A=B=C', [['env', 'A=B=C', false]]],
  ])('of %j are read', (line, fields) => {
    expect(fieldsOf(line)).toEqual(fields)
  })

  it('remember where they stand, also behind escapes', () => {
    const line = '  a="x\\"yz" b=1'
    const scanner = new FieldScanner(line, 0)
    const { value, nameSpan } = scanner.next()!
    expect(nameSpan).toEqual({ start: 2, end: 3 })
    expect(line.slice(value.start, value.end)).toBe('"x\\"yz"')
    const { start, end } = value.spanOf(2, 2)
    expect(line.slice(start, end)).toBe('yz')
    expect(value.spanOf(99, 1)).toEqual({ start: value.end, end: value.end })
  })

  it('refuse a word that is no field, and go on behind it', () => {
    const scanner = new FieldScanner('junk name=a', 0)
    expect(() => scanner.next()).toThrow(
      'expected a field such as name=backup; a value with white space needs double quotes',
    )
    expect(scanner.next()?.name).toBe('name')
    expect(failure('a=1 1b=2').details).toMatchObject({ position: 4, length: 4 })
    expect(failure('=x').code).toBe('KRON_KRONTAB_SYNTAX')
  })

  it('refuse a quote that is not closed, from where it opens', () => {
    const error = failure('a=1 b="x y')
    expect(error.message).toBe('the quote that opens here is not closed')
    expect(error.details).toMatchObject({ field: 'b', position: 6, length: 4 })
    expect(failure('a="x\\"').details.position).toBe(2)
  })
})
