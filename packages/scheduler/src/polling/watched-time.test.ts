import { describe, expect, it } from 'vitest'
import { MadeUpMinutes } from './made-up-minutes.js'
import { WatchedTime } from './watched-time.js'

const m = (n: number): number => n * 60_000
const taskId = 0

function watching(...steps: (readonly [from: number, to: number])[]): WatchedTime {
  const watched = new WatchedTime(taskId)
  for (const [from, to] of steps) {
    watched.beginAt(m(from))
    watched.reach(m(to))
  }
  return watched
}

/** Which of the minutes 0 to 20 it has, and which of them came again. */
function minutes(watched: WatchedTime): { has: number[]; again: number[] } {
  const all = Array.from({ length: 21 }, (_, n) => n)
  return {
    has: all.filter((n) => watched.has(m(n), taskId)),
    again: all.filter((n) => watched.earlierPass(m(n), taskId) !== null),
  }
}

describe('the time that was watched', () => {
  it.each([
    { title: 'goes on', steps: [[3, 5]], has: [3, 4, 5], again: [] },
    {
      title: 'leaves out what was jumped over',
      steps: [
        [3, 4],
        [8, 9],
      ],
      has: [3, 4, 8, 9],
      again: [],
    },
    {
      title: 'goes on in the same minute',
      steps: [
        [3, 4],
        [4, 5],
      ],
      has: [3, 4, 5],
      again: [],
    },
    {
      title: 'came again',
      steps: [
        [3, 6],
        [4, 5],
      ],
      has: [3, 4, 5, 6],
      again: [4, 5, 6],
    },
    {
      title: 'came again from its end',
      steps: [
        [3, 6],
        [2, 2],
      ],
      has: [2, 3, 4, 5, 6],
      again: [3, 4, 5, 6],
    },
  ] as const)('$title, also when it is read again', ({ steps, has, again }) => {
    const watched = watching(...steps)
    expect(minutes(watched)).toEqual({ has, again })
    expect(minutes(WatchedTime.parse(watched.toString()))).toEqual({ has, again })
    expect(WatchedTime.parse(watched.toString()).toString()).toBe(watched.toString())
    expect(watched.end).toBe(m(Math.max(...has)))
  })

  it('is of those tasks that were there', () => {
    const watched = watching([3, 4])
    watched.lastTaskId = 1
    watched.beginAt(m(4))
    watched.reach(m(5))
    expect([3, 4, 5].map((n) => watched.has(m(n), 1))).toEqual([false, true, true])
    // The minute goes on only for the same tasks: with a new one it is looked at a second time.
    expect(watched.earlierPass(m(4), 0)).toBe(m(4))
  })

  it('does not reach anywhere before it begins', () => {
    const watched = WatchedTime.parse(watching([3, 4]).toString())
    watched.reach(m(9))
    expect(minutes(watched).has).toEqual([3, 4])
    watched.beginAt(m(6))
    watched.reach(m(5))
    expect(minutes(watched).has).toEqual([3, 4, 6])
  })

  it('of earlier versions is in the order in which it came', () => {
    const stretches = [
      [m(3), m(6), 0],
      [m(4), m(5), 0],
    ]
    const watched = WatchedTime.parse(JSON.stringify({ lastTaskId: 7, stretches }))
    expect(minutes(watched)).toEqual({ has: [3, 4, 5, 6], again: [4, 5, 6] })
    expect(watched.lastTaskId).toBe(7)
    expect(JSON.parse(watched.toString()).latest).toEqual([m(5), m(5), 0])
  })

  it.each([
    null,
    '',
    '5',
    'null',
    '{}',
    '{"lastTaskId":1.5,"stretches":[]}',
    '{"lastTaskId":1,"stretches":5}',
  ])('that can not be read is nothing: %s', (text) => {
    const watched = WatchedTime.parse(text)
    expect([watched.lastTaskId, minutes(watched), watched.end]).toEqual([
      -1,
      { has: [], again: [] },
      Number.NEGATIVE_INFINITY,
    ])
  })

  it('leaves out what is no stretch', () => {
    const stretches = [[m(3), m(4), 0], [m(7), m(8)], [m(9), null, 0], 'x', [m(12), m(12), 0, 0]]
    const cameAgain = [[m(3), m(3), 0], 5]
    const latest = [m(4)]
    const text = JSON.stringify({ lastTaskId: 0, stretches, cameAgain, latest })
    expect(minutes(WatchedTime.parse(text))).toEqual({ has: [3, 4], again: [3] })
  })
})

describe('minutes that were made up for', () => {
  it('are text and back', () => {
    const made = [5, 3, 4, 9].reduce((all, n) => all.with(m(n)), MadeUpMinutes.parse(null))
    expect(made.toString()).toBe(`${m(3)}..${m(5)} ${m(9)}`)
    const read = MadeUpMinutes.parse(made.toString())
    expect([2, 3, 4, 5, 6, 9].map((n) => read.has(m(n)))).toEqual([
      false,
      true,
      true,
      true,
      false,
      true,
    ])
    expect([5, 9, 6].map((n) => read.startOf(m(n)))).toEqual([m(3), m(9), null])
  })

  it.each(['x', '1.5', '5..', '..5', '5...6', '1e3', '5..6x', ' '])('are none in %j', (text) => {
    expect(MadeUpMinutes.parse(text).toString()).toBe('')
  })

  it('may be before 1970', () => {
    expect(MadeUpMinutes.parse('-120000..-60000').has(-60_000)).toBe(true)
  })
})
