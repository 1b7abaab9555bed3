import { describe, expect, it } from 'vitest'
import { ProgressLine } from './progress-line.js'

function watched(isTerminal: boolean) {
  const written: string[] = []
  const clock = { now: 0 }
  const output = { write: (text: string) => void written.push(text), isTerminal, columns: 80 }
  return {
    written,
    clock,
    line: new ProgressLine(
      output,
      () => clock.now,
      (done) => `working: ${done} of 2000`,
    ),
  }
}

describe('the progress of long work', () => {
  it('is shown after a second, not more often than needed, and wiped at the end', () => {
    const { written, clock, line } = watched(true)
    for (const [now, done] of [
      [500, 1],
      [1000, 1000],
      [1100, 1100],
      [1200, 1200],
    ] as const) {
      clock.now = now
      line.update(done)
    }
    line.end()
    expect(written).toEqual(['\rworking: 1000 of 2000', '\rworking: 1200 of 2000', '\r\u001b[K'])
  })

  it('leaves no trace of short work', () => {
    const { written, line } = watched(true)
    line.update(2000)
    line.end()
    expect(written).toEqual([])
  })

  it('is not written into files and pipes', () => {
    const { written, clock, line } = watched(false)
    clock.now = 5000
    line.update(1)
    line.end()
    expect(written).toEqual([])
  })
})
