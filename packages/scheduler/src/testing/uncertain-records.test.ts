import { describe, expect, it } from 'vitest'
import { instant } from '../../testing/trace/trace-notation.js'
import { broken, ranOnce, running, until } from '../../testing/trace/written-trace.js'
import type { TraceOptions } from './trace.js'

describe('an initialization that may have been recorded or not', () => {
  const lost = (end: string) => `${ranOnce}
    10:11:00 Crash
    10:25:00 IS y
    10:25:01 ${end}
    10:26:00 IS x
    10:26:01 IEs`

  it.each(['Crash', 'IEf excused'])('by %s leaves open whether it removed a task', (end) => {
    expect(broken(lost(end), until('10:29:00'))).toEqual([])
    expect(broken(`${lost(end)}\n10:26:02 RS x\n10:26:03 REs x`)).toEqual([])
  })

  it('leaves open whether another expression was registered for a while', () => {
    const lostOverride = `${ranOnce}
      10:11:00 Crash
      10:11:10 IS x=at15
      10:11:11 Crash
      10:21:00 IS x
      10:21:01 IEs`
    expect(broken(`${lostOverride}\n10:21:02 RS x\n10:21:03 REs x`)).toEqual([])
    expect(broken(lostOverride, until('10:23:00'))).toEqual(['L1 x'])
  })

  it('changes nothing when it came while another was open', () => {
    const late = `${ranOnce}
      10:11:00 Crash
      10:25:00 IS x
      10:25:00 IS#2
      10:25:01 Crash
      10:26:00 IS x
      10:26:01 IEs`
    expect(broken(late, until('10:29:00'))).toEqual(['L1 x'])
  })

  it('changes nothing when it came while a list was Active', () => {
    const refused = `${ranOnce}
      10:11:00 IS y
      10:11:00 IEf
      10:12:00 Crash
      10:26:00 IS x
      10:26:01 IEs`
    expect(broken(refused, until('10:29:00'))).toEqual(['L1 x'])
  })
})

describe('a crash while something is recorded', () => {
  it('lets a run that had ended start again, but does not demand it', () => {
    const restarted = `${ranOnce}\n10:10:01 Crash x\n10:11:00 IS x\n10:11:01 IEs`
    expect(broken(`${restarted}\n10:11:02 RS x\n10:11:03 REs x`)).toEqual([])
    expect(broken(restarted, until('10:15:00'))).toEqual([])
  })

  it('does not demand the restart of a run whose end may be recorded', () => {
    const restarted = `${running}\n10:10:00 RS x\n10:10:01 Crash x\n10:11:00 IS x\n10:11:01 IEs`
    expect(broken(restarted, until('10:15:00'))).toEqual([])
  })

  it('lets a task that never ran start whose first start may be recorded', () => {
    const restarted = `${running}\n10:10:00 Crash x\n10:11:00 IS x\n10:11:01 IEs`
    expect(broken(`${restarted}\n10:11:02 RS x`)).toEqual([])
  })
})

describe('a storage that is down', () => {
  const down = (from: string, to: string): TraceOptions => ({
    storageDown: [[instant(from), instant(to)]],
  })

  it('does not count for the lag of a start, nor does a minute after it', () => {
    const text = (start: string) => `${running}\n${start} RS x`
    const options = down('10:10:30', '10:13:00')
    expect(broken(text('10:14:30'), options)).toEqual([])
    expect(broken(text('10:14:31'), options)).toEqual(['L1 x'])
  })

  it('does not count for the lag of an initialization', () => {
    const text = (end: string) => `10:01:00 IS x\n${end} IEs`
    const options = down('10:00:00', '10:03:00')
    expect(broken(text('10:05:00'), options)).toEqual([])
    expect(broken(text('10:05:01'), options)).toEqual(['L2'])
  })

  it('counts once where spans overlap', () => {
    const storageDown = [
      [instant('10:10:00'), instant('10:12:00')],
      [instant('10:11:00'), instant('10:12:30')],
    ] as const
    expect(broken(`${running}\n10:14:30 RS x`, { storageDown })).toEqual([])
    expect(broken(`${running}\n10:14:31 RS x`, { storageDown })).toEqual(['L1 x'])
  })

  it.each(['Crash', 'SS\n10:10:02 SE'])('may have lost the end of a run at %s', (end) => {
    const text = `${ranOnce}\n10:10:02 ${end}\n10:15:00 IS x\n10:15:00 IEs\n10:15:01 RS x`
    expect(broken(text)).toEqual(['S1 x'])
    expect(broken(text, down('10:10:01', '10:14:00'))).toEqual([])
    expect(broken(text, down('10:08:00', '10:09:00'))).toEqual(['S1 x'])
  })
})

describe('a storage that is down when the process goes away', () => {
  const storageDown = [[instant('10:10:00'), instant('10:14:00')]] as const

  it('may have kept the first start of a task without the start', () => {
    const text = `${running}\n10:10:05 Crash\n10:15:00 IS x\n10:15:00 IEs\n10:15:01 RS x`
    expect(broken(text)).toEqual(['S1 x'])
    expect(broken(text, { storageDown })).toEqual([])
  })

  it('has kept no start of a task that was not due while a list was Active', () => {
    const stopped = `${running}\n10:09:59 SS\n10:10:05 Crash`
    const text = `${stopped}\n10:15:00 IS x\n10:15:00 IEs\n10:15:01 RS x`
    expect(broken(text, { storageDown })).toEqual(['S1 x'])
  })

  it('has lost no end of a run from before', () => {
    const ended = `${ranOnce}\n10:15:00 Crash\n10:19:00 IS x\n10:19:00 IEs\n10:19:01 RS x`
    const later = [[instant('10:14:00'), instant('10:16:00')]] as const
    expect(broken(ended, { storageDown: later })).toEqual(['S1 x'])
  })
})
