import { describe, expect, it } from 'vitest'
import { clean, cleanLines } from './clean.js'

describe('text of strangers', () => {
  it('can not drive the terminal', () => {
    expect(clean('a\u001b[31m\u0007\u009b\u202eb')).toBe('a\ufffd[31m\ufffd\ufffd\ufffdb')
    expect(clean('日本 é')).toBe('日本 é')
  })

  it('stays on its line, or on its own lines', () => {
    expect(clean('a\r\nb')).toBe('a b')
    expect(cleanLines('a\tb\r\nc\u0000')).toEqual(['a  b', 'c\ufffd'])
  })
})
