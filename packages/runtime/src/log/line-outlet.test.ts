import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { type DroppedLines, LineOutlet } from './line-outlet.js'

/** A reader that takes as many bytes as it is allowed to, or fails. */
class Reader {
  text = ''
  room = Number.POSITIVE_INFINITY
  failure: Error | null = null
  attempts = 0

  write(bytes: Uint8Array): number {
    this.attempts++
    if (this.failure !== null) throw this.failure
    const taken = Math.min(this.room, bytes.length)
    this.room -= taken
    this.text += new TextDecoder().decode(bytes.subarray(0, taken))
    return taken
  }

  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }
}

function outletTo(reader: Reader) {
  const clock = new VirtualClock(Date.UTC(2026, 2, 1))
  const dropped: DroppedLines[] = []
  const troubles: string[] = []
  const outlet = new LineOutlet({
    sink: reader,
    clock,
    onTrouble: (reason) => void troubles.push(reason),
    limits: { roomBytes: 100, foreignBytes: 120, ownBytes: 300, patienceMs: 1000 },
  })
  outlet.onDropped = (lines) => {
    dropped.push(lines)
    outlet.write(`dropped ${lines.lines}`)
  }
  return { outlet, clock, dropped, troubles }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('lines for a reader', () => {
  it('of one turn are written together', async () => {
    const reader = new Reader()
    const { outlet } = outletTo(reader)
    outlet.write('one')
    outlet.write('two')
    expect(reader.attempts).toBe(0)
    await turn()
    expect([reader.text, reader.attempts]).toEqual(['one\ntwo\n', 1])
  })

  it('arrive in order and whole when it has room for a part at a time', async () => {
    const reader = new Reader()
    const { outlet, clock } = outletTo(reader)
    reader.room = 5
    for (const line of ['first', 'second', 'third']) outlet.write(line)
    await turn()
    expect(reader.text).toBe('first')
    for (let part = 0; part < 4; part++) {
      reader.room = 4
      await clock.advanceBy(200)
    }
    expect(reader.lines).toEqual(['first', 'second', 'third'])
  })

  it('never wait for one that does not read, and are counted once it does', async () => {
    const reader = new Reader()
    const { outlet, clock, dropped, troubles } = outletTo(reader)
    reader.room = 0
    for (let n = 0; n < 100; n++) outlet.write(`line ${n} of a job`, 'foreign')
    outlet.write('what the host says itself')
    await turn()
    await clock.advanceBy(5000)
    expect([reader.text, outlet.trouble]).toEqual(['', 'its reader does not read'])
    expect(troubles).toEqual(['its reader does not read'])
    reader.room = Number.POSITIVE_INFINITY
    await clock.advanceBy(2000)
    await turn()
    const kept = reader.lines.filter((line) => line.startsWith('line'))
    expect(reader.lines.slice(kept.length)).toEqual([
      'what the host says itself',
      `dropped ${100 - kept.length}`,
    ])
    expect(kept).toEqual(kept.map((_, n) => `line ${n} of a job`))
    expect(dropped[0]).toMatchObject({ own: 0, since: new Date(Date.UTC(2026, 2, 1)) })
    expect(outlet.trouble).toBeNull()
  })

  it('of the host are held three times as long, and then dropped as well', async () => {
    const reader = new Reader()
    const { outlet, clock, dropped } = outletTo(reader)
    reader.room = 0
    for (let n = 0; n < 100; n++) outlet.write('a line with 24 letters..')
    await turn()
    reader.room = Number.POSITIVE_INFINITY
    await clock.advanceBy(100)
    expect(dropped).toMatchObject([{ lines: 87, own: 87 }])
    await turn()
    expect(reader.lines).toHaveLength(14)
  })

  it('of the host are missing in one place, where the log says so', async () => {
    const reader = new Reader()
    const { outlet, clock } = outletTo(reader)
    reader.room = 0
    for (let n = 0; n < 20; n++) outlet.write(`line ${n} with some letters`)
    await turn()
    reader.room = 200
    await clock.advanceBy(100)
    outlet.write('there would be room for this')
    await turn()
    reader.room = Number.POSITIVE_INFINITY
    await clock.advanceBy(100)
    outlet.write('after')
    await turn()
    const at = reader.lines.findIndex((line) => line.startsWith('dropped'))
    expect(reader.lines.slice(0, at)).toEqual(
      reader.lines.slice(0, at).map((_, n) => `line ${n} with some letters`),
    )
    expect(reader.lines.slice(at)).toEqual([`dropped ${21 - at}`, 'after'])
  })

  it('that are many wait for a slow one, and are all written', async () => {
    const reader = new Reader()
    const { outlet, clock, dropped } = outletTo(reader)
    reader.room = 0
    let written = 0
    const writer = (async () => {
      for (; written < 500; written++) {
        await outlet.room()
        outlet.write(`line ${written}`, 'foreign')
      }
    })()
    for (let rounds = 0; written < 500; rounds++) {
      expect(rounds).toBeLessThan(1000)
      reader.room = 60
      await turn()
      await clock.advanceBy(100)
    }
    await writer
    reader.room = Number.POSITIVE_INFINITY
    await turn()
    await clock.advanceBy(100)
    expect(reader.lines).toEqual(Array.from({ length: 500 }, (_, n) => `line ${n}`))
    expect(dropped).toEqual([])
  })

  it('can be written no sooner than the disk has room again, and nobody waits for that', async () => {
    const reader = new Reader()
    const { outlet, clock, troubles } = outletTo(reader)
    reader.failure = new Error('ENOSPC')
    outlet.write('before')
    await turn()
    expect([outlet.trouble, outlet.hasRoom]).toEqual(['ENOSPC', true])
    await clock.advanceBy(60_000)
    expect(troubles).toEqual(['ENOSPC'])
    reader.failure = null
    await clock.advanceBy(1000)
    expect([reader.lines, outlet.trouble]).toEqual([['before'], null])
  })

  it('are waited for at the end of the process, but not for ever', () => {
    const reader = new Reader()
    const { outlet } = outletTo(reader)
    reader.room = 0
    outlet.write('last words')
    let pauses = 0
    outlet.finish((ms) => {
      pauses += ms
      if (pauses === 500) reader.room = 100
    })
    expect([reader.lines, pauses]).toEqual([['last words'], 500])
    reader.room = 0
    outlet.write('unheard')
    outlet.finish((ms) => {
      pauses += ms
    })
    expect(pauses).toBe(2500)
  })
})
