import { beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { emptyState } from '../state/index.js'
import { JobRecord } from './job-record.js'
import { Places } from './places.js'

const record = (name: string): JobRecord => {
  const hostJob = sampleJob('0 * * * *', { name })
  return new JobRecord(hostJob, emptyState(hostJob.identity))
}

describe('places for executions', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(record) as [
    JobRecord,
    JobRecord,
    JobRecord,
    JobRecord,
  ]
  let places: Places
  let entered: string[]
  const come = (who: JobRecord): void => {
    if (places.take(who)) entered.push(who.hostJob.name)
    else places.wait(who)
  }

  beforeEach(() => {
    places = new Places(2)
    entered = []
    places.onTurn = come
  })

  it('are taken by as many as there are, then in the order of coming', () => {
    for (const guest of [a, b, c, d]) come(guest)
    expect([entered.join(''), places.waiting, c.queued]).toEqual(['ab', 2, true])
    places.give()
    expect([entered.join(''), places.waiting, c.queued]).toEqual(['abc', 1, false])
    places.give()
    places.give()
    expect([entered.join(''), places.waiting]).toEqual(['abcd', 0])
  })

  it('are not taken before those who wait', () => {
    for (const guest of [a, b, c]) come(guest)
    places.onTurn = (first) => {
      expect(places.take(d)).toBe(false)
      come(first)
    }
    places.give()
    expect(entered.join('')).toBe('abc')
  })

  it('go to the next one when the first does not want it any more', () => {
    for (const guest of [a, b, c, d]) come(guest)
    places.onTurn = (first) => (first === c ? places.leave(first) : come(first))
    places.give()
    expect(entered.join('')).toBe('abd')
  })

  it('go to the next one when the first has gone away', () => {
    for (const guest of [a, b, c, d]) come(guest)
    places.leave(c)
    places.leave(c)
    places.give()
    expect(entered.join('')).toBe('abd')
  })

  it('are refused by thousands in a row', () => {
    for (const guest of [a, b]) come(guest)
    for (let count = 0; count < 20_000; count++) places.wait(record('x'))
    places.onTurn = (first) => places.leave(first)
    places.give()
    expect(places.waiting).toBe(0)
  })

  it('count what is there already, even beyond their number', () => {
    places.occupy()
    places.occupy()
    places.occupy()
    come(a)
    places.give()
    expect(entered).toEqual([])
    places.give()
    expect(entered).toEqual(['a'])
  })

  it('are taken by one who waits no more from then on', () => {
    for (const guest of [a, b, c]) come(guest)
    const seen: unknown[] = []
    places.onTurn = (first) => {
      come(first)
      seen.push(places.waiting, first.queued)
    }
    places.give()
    expect(seen).toEqual([0, false])
  })

  it('are offered once to one who neither takes nor leaves', () => {
    for (const guest of [a, b, c, d]) come(guest)
    const offered: JobRecord[] = []
    places.onTurn = (first) => {
      if (offered.length === 2) throw new Error('offered again')
      offered.push(first)
    }
    places.give()
    expect([offered, places.waiting, c.queued]).toEqual([[c, d], 0, false])
  })

  it('go to the next one when somebody who waits leaves, not when somebody else does', () => {
    for (const guest of [a, b]) places.wait(guest)
    places.leave(c)
    expect(entered).toEqual([])
    places.leave(a)
    expect(entered).toEqual(['b'])
  })

  it('tell when others wait than before', () => {
    const waiting: number[] = []
    places.onChange = () => waiting.push(places.waiting)
    for (const guest of [a, b, c, d]) come(guest)
    come(d)
    places.give()
    places.leave(a)
    places.close()
    expect(waiting).toEqual([1, 2, 1, 0])
  })

  it('are for nobody any more once they are closed', () => {
    for (const guest of [a, b, c]) come(guest)
    places.close()
    places.give()
    come(d)
    expect([entered.join(''), places.waiting, c.queued]).toEqual(['ab', 0, false])
  })
})
