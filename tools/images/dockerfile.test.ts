import { describe, expect, it } from 'vitest'
import { assignments, execForm, parseDockerfile } from './dockerfile.ts'

const only = (line: string) => parseDockerfile(`FROM a\n${line}`).stages[0]!.instructions[0]!

describe('a Dockerfile', () => {
  it('has stages with instructions, over several lines and between comments', () => {
    const text = [
      '# comment',
      'ARG BASE=node:24',
      'FROM $BASE AS build',
      'RUN a && \\',
      '# in between',
      '    b',
      'FROM $BASE',
      'COPY --from=build --chown=1:1 /a /b /c/',
    ]
    const { globals, stages } = parseDockerfile(text.join('\n'))
    expect(globals).toMatchObject([{ name: 'ARG', text: 'BASE=node:24' }])
    expect(stages).toMatchObject([
      { name: 'build', base: '$BASE', instructions: [{ line: 4, text: 'a &&     b' }] },
      { name: undefined, instructions: [{ line: 8, name: 'COPY', text: '/a /b /c/' }] },
    ])
    const [copy] = stages[1]!.instructions
    expect([...copy!.flags]).toEqual([
      ['from', 'build'],
      ['chown', '1:1'],
    ])
  })

  it('sets variables from others', () => {
    const braced = '$'.concat('{A}')
    const instruction = only(`ENV A=1 B="two \\"words\\"" PATH=/x:$PATH C=${braced}`)
    expect(assignments(instruction, { PATH: '/bin', A: '0' })).toEqual({
      A: '1',
      B: 'two "words"',
      PATH: '/x:/bin',
      C: '0',
    })
    expect(() => assignments(only('ENV A=$B'), {})).toThrow('line 2: B is not set')
    expect(() => assignments(only('LABEL a'), {})).toThrow('LABEL is not understood')
  })

  it('starts programs without a shell', () => {
    expect(execForm(only('CMD ["a", "b c"]'))).toEqual(['a', 'b c'])
    expect(() => execForm(only('CMD a b'))).toThrow('CMD must be a list')
  })

  it.each([
    ['FROM a\nADD b c', 'line 2: unknown instruction: ADD b c'],
    ['FROM a\nONBUILD RUN b', 'unknown instruction'],
    ['RUN a', 'stands before the first FROM'],
    ['FROM a\nRUN <<END', 'here documents'],
    ['FROM a\nRUN b \\', 'to be continued'],
    ['FROM --platform=x a', 'FROM is not understood'],
    ['# nothing', 'there is no FROM'],
  ])('is refused: %j', (text, reason) => {
    expect(() => parseDockerfile(text)).toThrow(reason)
  })
})
