import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { type DroppedLines, LineOutlet, type OutletLimits } from './line-outlet.js'

const start = Date.UTC(2026, 2, 1)
const small = { roomBytes: 100, foreignBytes: 120, ownBytes: 300, patienceMs: 1000 }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** A line of so many bytes, its end included. */
const line = (bytes: number): string => 'x'.repeat(bytes - 1)

/** A reader that can be stuck or broken, and an outlet to it. */
function world(limits: Partial<OutletLimits> = small) {
  const clock = new VirtualClock(start)
  const attempts: number[] = []
  const troubles: string[] = []
  const dropped: DroppedLines[] = []
  const reader = { room: 0, failure: null as unknown, taken: 0 }
  const write = (bytes: Uint8Array): number => {
    attempts.push(clock.now().getTime() - start)
    if (reader.failure !== null) throw reader.failure
    const taken = Math.min(reader.room, bytes.length)
    reader.room -= taken
    reader.taken += taken
    return taken
  }
  const onTrouble = (reason: string) => void troubles.push(reason)
  const outlet = new LineOutlet({ sink: { write }, clock, onTrouble, limits })
  outlet.onDropped = (lines) => void dropped.push(lines)
  return { clock, attempts, troubles, dropped, reader, outlet }
}

describe('the limits of an outlet', () => {
  it('are one, four and eight mebibytes unless others are given', () => {
    const { outlet, dropped, reader } = world({})
    const writeTo = (bytes: number, from: number): void => {
      for (let written = from; written < bytes; written += 65_536) outlet.write(line(65_536))
    }
    writeTo(1 << 20, 0)
    expect(outlet.hasRoom).toBe(true)
    outlet.write('')
    expect(outlet.hasRoom).toBe(false)
    writeTo((1 << 22) - 65_536, 1 << 20)
    outlet.write(line(65_535))
    expect(outlet.isFull).toBe(false)
    outlet.write('', 'foreign')
    expect(outlet.isFull).toBe(true)
    outlet.write('too much', 'foreign')
    writeTo((1 << 25) - 65_536, 1 << 22)
    outlet.write(line(65_535))
    outlet.write('', 'own')
    outlet.write('too much', 'own')
    reader.room = Number.POSITIVE_INFINITY
    outlet.finish(() => undefined)
    expect(reader.taken).toBe((1 << 25) + 1)
    expect(dropped).toMatchObject([{ lines: 2, own: 1 }])
  })

  it('leave who asks for room waiting until there is some', async () => {
    const { outlet, clock, reader } = world()
    outlet.write(line(100))
    let hasRoom = 0
    const ask = () => void outlet.room().then(() => hasRoom++)
    ask()
    await turn()
    expect(hasRoom).toBe(1)
    outlet.write('')
    ask()
    ask()
    await clock.advanceBy(900)
    expect(hasRoom).toBe(1)
    reader.room = 1
    await clock.advanceBy(100)
    expect([hasRoom, outlet.trouble]).toEqual([1, null])
    reader.room = 100
    await clock.advanceBy(100)
    expect(hasRoom).toBe(3)
  })

  it('let nobody wait for a reader that does not read', async () => {
    const { outlet, clock, troubles } = world()
    outlet.write(line(101))
    await turn()
    let hasRoom = false
    void outlet.room().then(() => {
      hasRoom = true
    })
    await clock.advanceBy(900)
    expect([hasRoom, outlet.trouble]).toEqual([false, null])
    await clock.advanceBy(200)
    expect([hasRoom, outlet.hasRoom]).toEqual([true, true])
    expect([outlet.trouble, troubles]).toEqual([
      'its reader does not read',
      ['its reader does not read'],
    ])
  })

  it('are no trouble while there is room, however long nobody reads', async () => {
    const { outlet, clock, troubles } = world()
    outlet.write(line(100))
    await turn()
    await clock.advanceBy(60_000)
    expect([outlet.trouble, troubles]).toEqual([null, []])
  })
})

describe('lines that wait', () => {
  it('are tried soon, then later and later, ten times a second at least', async () => {
    const { outlet, clock, attempts } = world()
    outlet.write('a')
    await turn()
    await clock.advanceBy(400)
    expect([...new Set(attempts)]).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 228, 328])
  })

  it('are tried soon again after something was read', async () => {
    const { outlet, clock, reader, attempts } = world()
    outlet.write('abc')
    await turn()
    await clock.advanceBy(400)
    reader.room = 1
    await clock.advanceBy(28)
    attempts.length = 0
    await clock.advanceBy(10)
    expect([...new Set(attempts)]).toEqual([429, 430, 432, 436])
  })

  it('are tried once a second where something else than room is missing', async () => {
    const { outlet, clock, reader, attempts, troubles } = world()
    reader.failure = 'ENOSPC'
    outlet.write('a')
    await turn()
    await clock.advanceBy(5000)
    const late = attempts.filter((at) => at > 1000)
    expect(late.map((at, index) => at - (late[index - 1] ?? at))).toEqual([0, 1000, 1000, 1000])
    expect([outlet.trouble, troubles]).toEqual(['ENOSPC', ['ENOSPC']])
  })

  it('are tried by one at a time, however many flush', async () => {
    const { outlet, clock, reader, attempts } = world()
    outlet.write('a')
    outlet.flush()
    const tries = attempts.length
    outlet.write('b')
    outlet.flush()
    outlet.flush()
    expect(attempts).toHaveLength(tries)
    reader.room = 4
    await clock.advanceBy(1)
    expect(reader.taken).toBe(4)
    // And who flushes after that writes at once.
    reader.room = 2
    outlet.write('c')
    outlet.flush()
    expect(reader.taken).toBe(6)
  })

  it('are written at once where many come in one turn', () => {
    const { outlet, attempts, reader } = world({})
    reader.room = Number.POSITIVE_INFINITY
    outlet.write(line(65_536))
    expect(attempts).toEqual([])
    outlet.write('')
    expect([attempts.length, reader.taken]).toEqual([1, 65_537])
  })
})

describe('lines that were dropped', () => {
  it('are told with when, once less than half of the room is taken', async () => {
    const { outlet, clock, reader, dropped } = world()
    outlet.write(line(101))
    await turn()
    outlet.drop(3)
    await clock.advanceBy(100)
    outlet.drop(2)
    reader.room = 51
    await clock.advanceBy(100)
    expect(dropped).toEqual([])
    reader.room = 1
    await clock.advanceBy(50)
    expect(dropped).toEqual([])
    reader.room = Number.POSITIVE_INFINITY
    await clock.advanceBy(100)
    expect(dropped).toMatchObject([{ lines: 5, own: 0, since: new Date(start) }])
    expect(dropped[0]!.until.getTime()).toBeGreaterThan(start + 100)
    outlet.drop(1)
    outlet.write('a')
    await turn()
    expect(dropped.slice(1)).toMatchObject([{ lines: 1, since: clock.now() }])
  })

  it('are not told while nothing can be written', async () => {
    const { outlet, clock, reader, dropped } = world()
    reader.failure = new Error('EPIPE')
    outlet.write('a')
    outlet.drop(1)
    await turn()
    await clock.advanceBy(10_000)
    expect([dropped, outlet.trouble]).toEqual([[], 'EPIPE'])
  })
})

describe('the end of the process', () => {
  it.each([
    { title: 'that fails is not waited for', failure: new Error('EPIPE'), pausedMs: 0 },
    { title: 'that does not read is waited for two seconds', failure: null, pausedMs: 2000 },
  ])('with a reader $title', ({ failure, pausedMs }) => {
    const { outlet, reader } = world()
    reader.failure = failure
    outlet.write('last words')
    let paused = 0
    outlet.finish((ms) => {
      paused += ms
    })
    expect(paused).toBe(pausedMs)
  })

  it('waits for a reader that was given up as well', async () => {
    const { outlet, clock, reader } = world()
    outlet.write(line(101))
    await turn()
    await clock.advanceBy(2000)
    expect(outlet.trouble).toBe('its reader does not read')
    outlet.finish(() => {
      reader.room = 200
    })
    expect(reader.taken).toBe(101)
  })

  it('waits as long as something is read, and writes what is said about the rest', () => {
    const { outlet, reader } = world()
    for (let n = 0; n < 5; n++) outlet.write(line(70))
    outlet.write('this one is dropped')
    outlet.onDropped = ({ lines }) => outlet.write(`dropped ${lines}`)
    let paused = 0
    outlet.finish((ms) => {
      paused += ms
      if (paused % 1500 === 0) reader.room = 100
    })
    expect(reader.taken).toBe(5 * 70 + 'dropped 1\n'.length)
    expect(paused).toBe(6000)
  })

  it('is not held up when there is nothing to write', () => {
    const { outlet, attempts } = world()
    outlet.finish(() => expect.unreachable())
    expect(attempts).toEqual([])
  })
})
