import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventReader } from './event-reader.js'

describe('server-sent events', () => {
  it('are put together from their fields', () => {
    const text =
      ': connected\n\nid: 7\nevent: run.ended\ndata: {"a":1}\n\n: heartbeat\n\ndata: x\ndata: y\n\n'
    expect(new EventReader().read(text)).toEqual([
      { id: '7', type: 'run.ended', data: { a: 1 } },
      { id: null, type: 'message', data: 'x\ny' },
    ])
  })

  it('without data are none', () => {
    expect(new EventReader().read('event: a\n\nid: 1\n\n')).toEqual([])
  })

  it('take any kind of line end, and fields with or without a space', () => {
    const expected = [{ id: '1', type: 'a', data: { b: 2 } }]
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `id:1${end}event: a${end}data:{"b":2}${end}${end}`
      // A line end may go on in the next piece.
      expect(new EventReader().read(`${text}${end}`)).toEqual(expected)
    }
  })

  it('may be cut anywhere', () => {
    const text = 'id: 1\r\nevent: a\r\ndata: {"b":"ä:c"}\r\n\r\n: beat\r\n\r\ndata: [1]\r\n\r\n'
    const whole = new EventReader().read(text)
    expect(whole).toHaveLength(2)
    const cuts = fc.array(fc.nat(text.length), { maxLength: 8 })
    const property = fc.property(cuts, (places) => {
      const sorted = [0, ...places.sort((a, b) => a - b), text.length]
      const reader = new EventReader()
      const read = sorted
        .slice(1)
        .flatMap((end, index) => reader.read(text.slice(sorted[index], end)))
      expect(read).toEqual(whole)
    })
    fc.assert(property, { numRuns: 500, seed: 1 })
  })

  it('without an end are given up', () => {
    const reader = new EventReader()
    expect(() => reader.read(`data: ${'x'.repeat(1_000_001)}`)).toThrow('too long')
  })
})
