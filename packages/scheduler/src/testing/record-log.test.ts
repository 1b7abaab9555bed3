import { describe, expect, it } from 'vitest'
import { RecordLog } from './record-log.js'

const moment = (wall: number, elapsed = wall) => ({ wall, elapsed })

describe('the log of what was recorded', () => {
  it('has no time to doubt before a list is Active', () => {
    const log = new RecordLog()
    log.stepped(moment(1), moment(4, 1))
    expect(log.unrecordedUntil(moment(5))).toEqual([])
  })

  it('has the time since the last record', () => {
    const log = new RecordLog()
    log.initialized(moment(1))
    expect(log.unrecordedUntil(moment(5))).toEqual([{ from: 1, to: 5 }])
    log.recorded('a', moment(4))
    expect(log.unrecordedUntil(moment(5))).toEqual([{ from: 4, to: 5 }])
  })

  it('follows the clock where it is set', () => {
    const log = new RecordLog()
    log.initialized(moment(10))
    log.stepped(moment(11), moment(0, 11))
    log.recorded('a', moment(20, 31))
    log.stepped(moment(22, 33), moment(2, 33))
    log.stepped(moment(4, 35), moment(50, 35))
    expect(log.unrecordedUntil(moment(60, 45))).toEqual([
      { from: 20, to: 22 },
      { from: 2, to: 4 },
      { from: 50, to: 60 },
    ])
  })

  it('goes back to the record before the last ones of uncertain tasks', () => {
    const log = new RecordLog()
    log.initialized(moment(1))
    log.recorded('a', moment(2))
    log.recorded('b', moment(3))
    log.stepped(moment(4), moment(0, 4))
    log.recorded('a', moment(5, 9))
    log.doubt(['a'], null)
    const roamed = { from: 0, to: 6 }
    expect(log.unrecordedUntil(moment(6, 10))).toEqual([{ from: 3, to: 4 }, roamed])
    log.doubt(['b'], null)
    expect(log.unrecordedUntil(moment(6, 10))).toEqual([{ from: 2, to: 4 }, roamed])
    log.doubt(['a', 'b'], null)
    expect(log.unrecordedUntil(moment(6, 10))).toEqual([{ from: 1, to: 4 }, roamed])
  })

  it('goes back to the record before an outage', () => {
    const log = new RecordLog()
    log.initialized(moment(1))
    log.recorded('a', moment(2))
    log.recorded('a', moment(7))
    log.recorded('b', moment(8))
    log.doubt([], 7)
    expect(log.unrecordedUntil(moment(9))).toEqual([{ from: 2, to: 9 }])
    log.doubt([], 0)
    expect(log.unrecordedUntil(moment(9))).toEqual([{ from: 1, to: 9 }])
  })

  it('begins again with each list', () => {
    const log = new RecordLog()
    log.initialized(moment(1))
    log.recorded('a', moment(2))
    log.initialized(moment(5))
    log.doubt(['a'], null)
    expect(log.unrecordedUntil(moment(6))).toEqual([{ from: 5, to: 6 }])
  })
})
