import { describe, expect, it } from 'vitest'
import { Patience } from './patience.js'

describe('patience with the database', () => {
  it('doubles each time that it was too little, up to the most', () => {
    const patience = new Patience(6_000, 30_000)
    const seen = [patience.ms]
    for (let n = 0; n < 4; n++) {
      patience.wasTooLittle()
      seen.push(patience.ms)
    }
    expect(seen).toEqual([6_000, 12_000, 24_000, 30_000, 30_000])
  })

  it('stays for as long as the first would be too little', () => {
    const patience = new Patience(6_000, 30_000)
    patience.wasTooLittle()
    patience.wasEnough(6_000)
    expect(patience.ms).toBe(12_000)
    patience.wasEnough(5_999)
    expect(patience.ms).toBe(6_000)
  })

  it('never begins with more than the most', () => {
    expect(new Patience(6_000, 1_000).ms).toBe(1_000)
  })
})
