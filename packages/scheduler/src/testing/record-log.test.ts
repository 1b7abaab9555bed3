import { describe, expect, it } from 'vitest'
import { RecordLog } from './record-log.js'

const moment = (wall: number, elapsed = wall) => ({ wall, elapsed })

describe('the log of what was recorded', () => {
  it('has no time to doubt before a list is Active', () => {
    expect(new RecordLog().unrecordedFrom).toBe(Number.POSITIVE_INFINITY)
  })

  it('has the last record, or where it began', () => {
    const log = new RecordLog()
    log.begin(moment(1))
    expect(log.unrecordedFrom).toBe(1)
    log.recorded('a', moment(4))
    expect(log.unrecordedFrom).toBe(4)
    log.begin(moment(2, 5))
    expect(log.unrecordedFrom).toBe(2)
  })

  it('goes back to the record before the last ones of uncertain tasks', () => {
    const log = new RecordLog()
    log.begin(moment(1))
    log.recorded('a', moment(2))
    log.recorded('b', moment(3))
    log.recorded('a', moment(5))
    log.doubt(['a'], null)
    expect(log.unrecordedFrom).toBe(3)
    log.doubt(['b'], null)
    expect(log.unrecordedFrom).toBe(2)
    log.doubt(['a', 'b'], null)
    expect(log.unrecordedFrom).toBe(1)
  })

  it('goes back to the record before an outage', () => {
    const log = new RecordLog()
    log.begin(moment(1))
    log.recorded('a', moment(2))
    log.recorded('a', moment(7))
    log.recorded('b', moment(8))
    log.doubt([], 7)
    expect(log.unrecordedFrom).toBe(2)
  })
})
