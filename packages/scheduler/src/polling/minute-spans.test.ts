import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MadeUpMinutes } from './made-up-minutes.js'
import { type MinuteSpan, MinuteSpans } from './minute-spans.js'
import { WatchedTime } from './watched-time.js'

const minute = 60_000
const at = (minutes: number): number => minutes * minute

interface Addition {
  readonly from: number
  readonly length: number
  readonly lastTaskId: number
}

const lastMinute = 130
const additions: fc.Arbitrary<Addition[]> = fc.array(
  fc.record({ from: fc.nat(100), length: fc.nat(20), lastTaskId: fc.nat(3) }),
  { maxLength: 20 },
)

/** For each minute the last of the tasks that were there, or -1: without any thought of spans. */
function naively(added: readonly Addition[]): number[] {
  const lastIds: number[] = Array(lastMinute + 1).fill(-1)
  for (const { from, length, lastTaskId } of added) {
    for (let m = from; m <= from + length; m++) lastIds[m] = Math.max(lastIds[m]!, lastTaskId)
  }
  return lastIds
}

function spansOf(lastIds: readonly number[]): MinuteSpan[] {
  const spans: MinuteSpan[] = []
  lastIds.forEach((id, m) => {
    if (id < 0) return
    const last = m > 0 && id === lastIds[m - 1] ? spans.pop() : undefined
    spans.push([last?.[0] ?? at(m), at(m), id])
  })
  return spans
}

describe('spans of minutes', () => {
  it('have what was added, for the tasks that were there, and with room nothing else', () => {
    fc.assert(
      fc.property(additions, (added) => {
        const spans = new MinuteSpans(1000)
        for (const { from, length, lastTaskId } of added) {
          spans.add(at(from) + 5, at(from + length) + 59_999, lastTaskId)
        }
        const lastIds = naively(added)
        expect(spans.spans).toEqual(spansOf(lastIds))
        const latest = lastIds.findLastIndex((id) => id >= 0)
        expect(spans.end).toBe(latest < 0 ? Number.NEGATIVE_INFINITY : at(latest))
        for (let m = 0; m <= lastMinute; m++) {
          const rest = lastIds.map((id, index) => (index < m ? -1 : id))
          if (m % 10 === 0) expect(spans.from(at(m) + 7)).toEqual(spansOf(rest))
          for (let id = 0; id <= 3; id++) {
            const isIn = id <= lastIds[m]!
            expect(spans.has(at(m) + 59_999, id)).toBe(isIn)
            const gap = lastIds.findLastIndex((last, index) => index <= m && last < id)
            expect(spans.startOf(at(m), id)).toBe(isIn ? at(gap + 1) : null)
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

  it.each<[string, MinuteSpan[], MinuteSpan[]]>([
    [
      'the narrowest of equal tasks',
      [
        [at(0), at(10), 0],
        [at(1000), at(1010), 0],
        [at(1015), at(1020), 0],
      ],
      [
        [at(0), at(10), 0],
        [at(1000), at(1020), 0],
      ],
    ],
    [
      'the first of equal gaps',
      [
        [at(0), at(10), 0],
        [at(20), at(30), 0],
        [at(40), at(50), 0],
      ],
      [
        [at(0), at(30), 0],
        [at(40), at(50), 0],
      ],
    ],
    [
      'a wide one, where to close the narrow one would hide hours from the tasks of later',
      [
        [at(0), at(500), 1],
        [at(510), at(520), 7],
        [at(560), at(570), 7],
      ],
      [
        [at(0), at(500), 1],
        [at(510), at(570), 7],
      ],
    ],
    [
      'that before a short span with few tasks, for all the tasks of either',
      [
        [at(0), at(500), 7],
        [at(510), at(512), 1],
        [at(560), at(570), 1],
      ],
      [
        [at(0), at(512), 7],
        [at(560), at(570), 1],
      ],
    ],
  ])('close one gap when there are too many: %s', (_, added, left) => {
    expect(new MinuteSpans(2, added).spans).toEqual(left)
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
