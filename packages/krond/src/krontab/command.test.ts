import { KronError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandOf, wordsOf } from './command.js'
import { FieldScanner } from './field-scanner.js'

const commandIn = (field: string, shell = false) =>
  commandOf(new FieldScanner(field, 0).next()!.value, shell)

describe('a command', () => {
  it('without quotes is one word', () => {
    expect(commandIn("command=/opt/it's/run")).toEqual({ kind: 'words', words: ["/opt/it's/run"] })
  })

  it('in quotes is split into words', () => {
    const words = ['/bin/echo', 'a', 'b c', 'd"e']
    expect(commandIn('command="/bin/echo a  \'b c\' d\\\\\\"e"')).toEqual({ kind: 'words', words })
  })

  it('is not expanded in any way', () => {
    const words = [
      'echo',
      '$HOME',
      '~',
      '*.log',
      '`id`',
      '$(id)',
      '{a,b}',
      '|',
      'wc',
      '>',
      'x',
      '%',
    ]
    expect(wordsOf('echo $HOME ~ *.log `id` $(id) {a,b} | wc > x %')).toEqual(words)
  })

  it('stays one text for a shell', () => {
    expect(commandIn('command="cd /x && y | z"', true)).toEqual({
      kind: 'shell',
      text: 'cd /x && y | z',
    })
  })

  it.each(['command=', 'command=""', 'command="  "'])('must not be empty: %s', (field) => {
    expect(() => commandIn(field)).toThrow('command must not be empty')
    expect(() => commandIn(field, true)).toThrow(KronError)
  })
})

describe('the words of a command line', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['a', ['a']],
    [' a\tb ', ['a', 'b']],
    ["''", ['']],
    ['a""b', ['ab']],
    ["'a\\b'", ['a\\b']],
    ['"a\\"b"', ['a"b']],
    ['a\\ b', ['a b']],
    ['\\\\', ['\\']],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each([
    ["echo 'x", 5],
    ['a "b', 2],
    ['a\\', 1],
  ])('can not be told of %j', (text, position) => {
    try {
      wordsOf(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(KronError)
      expect((error as KronError).details.position).toBe(position)
    }
  })

  it('come back when each is quoted', () => {
    const word = fc.string({ minLength: 1 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const line = words.map((text) => `'${text.replaceAll("'", `'"'"'`)}'`).join(' ')
        expect(wordsOf(line)).toEqual(words)
      }),
      { numRuns: 300 },
    )
  })
})
