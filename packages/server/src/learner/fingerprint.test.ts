import { describe, expect, it } from 'vitest'
import { type Answer, fingerprintOf, textNumber } from './fingerprint.js'

const answer = (body: string, change: Partial<Answer> = {}): Answer => ({
  headers: {},
  body: Buffer.from(body),
  truncated: false,
  ...change,
})
const queue = [['queue', 'depth'], ['ready']]

describe('the fingerprint of an answer', () => {
  it('is that of its body', () => {
    expect(fingerprintOf(answer('one'), [])).toBe(fingerprintOf(answer('one'), []))
    expect(fingerprintOf(answer('one'), [])).not.toBe(fingerprintOf(answer('two'), []))
  })

  it('is that of its entity tag where it has one, whatever the body says', () => {
    const tagged = (etag: string, body: string) =>
      fingerprintOf(answer(body, { headers: { etag, 'last-modified': body } }), [])
    expect(tagged('"a"', 'one')).toBe(tagged('"a"', 'two'))
    expect(tagged('"a"', 'one')).not.toBe(tagged('"b"', 'one'))
  })

  it('is that of its last modification where it has no tag', () => {
    const dated = (date: string, body: string) =>
      fingerprintOf(answer(body, { headers: { 'last-modified': date } }), [])
    expect(dated('Mon', 'one')).toBe(dated('Mon', 'two'))
    expect(dated('Mon', 'one')).not.toBe(dated('Tue', 'one'))
  })

  it('is that of the named values alone, and stands above a tag', () => {
    const named = (body: unknown, etag: string) =>
      fingerprintOf(answer(JSON.stringify(body), { headers: { etag } }), queue)
    const first = named({ queue: { depth: 3 }, ready: true, at: 1 }, '"a"')
    expect(named({ at: 2, ready: true, queue: { depth: 3 } }, '"b"')).toBe(first)
    expect(named({ queue: { depth: 4 }, ready: true, at: 1 }, '"a"')).not.toBe(first)
    expect(named({ queue: { depth: 3 }, at: 1 }, '"a"')).not.toBe(first)
  })

  it('is that of the body where named values can not be read', () => {
    const broken = (body: string, truncated: boolean) =>
      fingerprintOf(answer(body, { truncated, headers: { etag: '"a"' } }), queue)
    expect(broken('{"queue"', false)).toBe(fingerprintOf(answer('{"queue"'), []))
    expect(broken('{"ready": 1}', true)).toBe(fingerprintOf(answer('{"ready": 1}'), []))
  })

  it('says nothing where there is nothing to compare', () => {
    expect(fingerprintOf(answer(''), [])).toBeNull()
    expect(fingerprintOf(answer(''), queue)).toBeNull()
  })

  it.each([
    ['', 0],
    ['a', 0x3c2569b2],
    ['abc', 0xb3dd93fa],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ])('of %j is MurmurHash3', (text, expected) => {
    expect(textNumber(text)).toBe(expected)
  })
})
