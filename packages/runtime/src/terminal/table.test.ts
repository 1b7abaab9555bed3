import { describe, expect, it } from 'vitest'
import { coloured, plain, styleFor } from './style.js'
import { counted, grouped, percent, table } from './table.js'

describe('a table', () => {
  it('has columns as wide as they need, without spaces at the end of lines', () => {
    const lines = table(
      [{ title: 'name' }, { title: 'n', align: 'right' }, { title: 'note' }],
      [
        ['a', '1', ''],
        ['long name', '200', 'x'],
      ],
      (text) => text,
    )
    expect(lines).toEqual(['name         n  note', 'a            1', 'long name  200  x'])
  })
})

describe('numbers', () => {
  it.each<[number, string]>([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
  ])('%d is %s', (value, text) => {
    expect(grouped(value)).toBe(text)
  })

  it('count nouns', () => {
    expect([counted(0, 'job'), counted(1, 'job'), counted(2, 'job')]).toEqual([
      '0 jobs',
      '1 job',
      '2 jobs',
    ])
  })

  it.each<[number, string]>([
    [0, '0%'],
    [1, '100%'],
    [1.001, '>100%'],
    [10 / 3, '333%'],
    [0.99999, '>99.9%'],
    [0.5, '50%'],
    [0.3456, '34.6%'],
    [0.000123, '0.012%'],
    [1e-9, '1e-7%'],
  ])('a share of %d is %s', (share, text) => {
    expect(percent(share)).toBe(text)
  })
})

describe('colour', () => {
  const wishes = { isTerminal: true, env: {}, allowed: true }
  it('is used on a terminal and nowhere else', () => {
    expect(styleFor(wishes)).toBe(coloured)
    expect(styleFor({ ...wishes, isTerminal: false })).toBe(plain)
  })

  it('is left away when anybody asks for it', () => {
    expect(styleFor({ ...wishes, allowed: false })).toBe(plain)
    expect(styleFor({ ...wishes, env: { NO_COLOR: '1' } })).toBe(plain)
    expect(styleFor({ ...wishes, env: { TERM: 'dumb' } })).toBe(plain)
    expect(styleFor({ ...wishes, env: { NO_COLOR: '' } })).toBe(coloured)
  })

  it('leaves no code around nothing', () => {
    expect(coloured('error', '')).toBe('')
    expect(coloured('good', 'x')).toBe('\u001b[32mx\u001b[0m')
  })
})
