import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MadeUpMinutes } from './made-up-minutes.js'
import { MinuteSpans } from './minute-spans.js'
import { WatchedTime } from './watched-time.js'

const minute = 60_000
const at = (minutes: number): number => minutes * minute

const additions = fc.array(
  fc.record({ from: fc.nat(300), length: fc.nat(20), lastTaskId: fc.nat(3) }),
  { maxLength: 40 },
)

describe('spans of minutes', () => {
  it('have what was added, for the tasks that were there, and with room nothing else', () => {
    fc.assert(
      fc.property(additions, (added) => {
        const spans = new MinuteSpans(1000)
        for (const { from, length, lastTaskId } of added) {
          spans.add(at(from) + 5, at(from + length) + 59_999, lastTaskId)
        }
        for (let m = 0; m < 330; m++) {
          for (let id = 0; id <= 3; id++) {
            const expected = added.some(
              ({ from, length, lastTaskId }) => from <= m && m <= from + length && id <= lastTaskId,
            )
            expect(spans.has(at(m), id)).toBe(expected)
          }
        }
      }),
      { numRuns: 50, seed: 20_260_302 },
    )
  })

  it('forget nothing when there are too many', () => {
    fc.assert(
      fc.property(additions, (added) => {
        const spans = new MinuteSpans(3)
        for (const { from, length, lastTaskId } of added) {
          spans.add(at(from), at(from + length), lastTaskId)
        }
        expect(spans.spans.length).toBeLessThanOrEqual(3)
        const missing = added.filter(
          ({ from, length, lastTaskId }) =>
            !spans.has(at(from), lastTaskId) || !spans.has(at(from + length), lastTaskId),
        )
        expect(missing).toEqual([])
      }),
      { numRuns: 200, seed: 20_260_303 },
    )
  })

  it('close the narrowest gap when there are too many', () => {
    const spans = new MinuteSpans(2, [
      [at(0), at(10), 0],
      [at(1000), at(1010), 0],
      [at(1015), at(1020), 0],
    ])
    expect(spans.spans).toEqual([
      [at(0), at(10), 0],
      [at(1000), at(1020), 0],
    ])
  })
})

describe('watched time', () => {
  it('is read from text of earlier versions, which had stretches in their order', () => {
    const watched = WatchedTime.parse(
      JSON.stringify({
        lastTaskId: 4,
        stretches: [
          [at(100), at(160) + 5, 4],
          [at(90), at(120) + 7, 4],
        ],
      }),
    )
    expect(watched.lastTaskId).toBe(4)
    expect([89, 90, 160, 161].map((m) => watched.has(at(m), 4))).toEqual([false, true, true, false])
    expect(watched.has(at(100), 5)).toBe(false)
    expect(watched.earlierPass(at(110), 4)).toBe(at(100))
    expect(watched.earlierPass(at(95), 4)).toBeNull()
  })

  it('is read as it was written', () => {
    const watched = new WatchedTime(3)
    watched.beginAt(at(100))
    watched.reach(at(150))
    watched.beginAt(at(120))
    watched.reach(at(130))
    const read = WatchedTime.parse(String(watched))
    expect(String(read)).toBe(String(watched))
    expect(read.earlierPass(at(140), 3)).toBe(at(120))
    expect(read.earlierPass(at(110), 3)).toBeNull()
  })

  it.each([null, '', 'x', '{}', '[]', '{"lastTaskId":1,"stretches":[["a"]]}'])(
    'of text that is none (%j) is nothing',
    (text) => {
      expect(WatchedTime.parse(text).end).toBe(Number.NEGATIVE_INFINITY)
    },
  )
})

describe('minutes that were made up for', () => {
  it('are read as they were written', () => {
    const made = MadeUpMinutes.parse(null).with(at(5)).with(at(6)).with(at(100))
    const read = MadeUpMinutes.parse(String(made))
    expect(String(read)).toBe(`${at(5)}..${at(6)} ${at(100)}`)
    expect([4, 5, 6, 7, 100].map((m) => read.has(at(m)))).toEqual([false, true, true, false, true])
  })

  it('are none where nobody can read them', () => {
    expect(String(MadeUpMinutes.parse('x 7..x ..'))).toBe('')
  })

  it('stay few, and none of them is forgotten', () => {
    let made = MadeUpMinutes.parse(null)
    const all = Array.from({ length: 500 }, (_, n) => at(n * n))
    for (const one of all) made = MadeUpMinutes.parse(String(made.with(one)))
    expect(all.filter((one) => !made.has(one))).toEqual([])
    expect(String(made).length).toBeLessThan(1000)
  })
})
