import { describe, expect, it } from 'vitest'
import { broken, ranOnce, running, until } from '../../testing/trace/written-trace.js'

describe('a retry', () => {
  it('that is still to come is dropped by the start of a cron minute', () => {
    const preempted = `10:05:00 IS slow
      10:05:00 IEs
      10:10:00 RS slow
      10:10:05 REf slow
      10:20:00 RS slow
      10:20:05 REs slow
      10:30:00 RS slow
      10:30:05 REs slow`
    expect(broken(preempted, until('10:40:30'))).toEqual([])
    expect(broken(`${preempted}\n10:40:00 RS slow\n10:40:04 REs slow\n10:40:05 RS slow`)).toEqual([
      'S1 slow',
    ])
  })

  it('keeps its instant when another delay is registered', () => {
    const overridden = `10:05:00 IS x
      10:05:00 IEs
      10:10:00 RS x
      10:10:05 REf x
      10:10:06 SS
      10:10:06 SE
      10:10:07 IS x=slow
      10:10:07 IEs`
    expect(broken(`${overridden}\n10:11:05 RS x`)).toEqual([])
    expect(broken(overridden, until('10:12:06'))).toEqual(['L1 x'])
  })

  it('with no delay may come at once, or wait for the next second', () => {
    const failed = '10:00:00 IS once\n10:00:00 IEs\n10:00:00.100 RS once\n10:00:00.250 REf once'
    expect(broken(`${failed}\n10:00:00.250 RS once`)).toEqual([])
    expect(broken(`${failed}\n10:01:01.006 RS once`)).toEqual([])
    expect(broken(`${failed}\n10:01:01.007 RS once`)).toEqual(['L1 once'])
  })

  it('outlives a crash', () => {
    const failed = `${running}\n10:10:00 RS x\n10:10:05 REf x\n10:10:06 Crash`
    const restarted = `${failed}\n10:10:07 IS x\n10:10:07 IEs`
    expect(broken(`${restarted}\n10:10:08 RS x`)).toEqual(['S1 x'])
    expect(broken(`${restarted}\n10:11:05 RS x`)).toEqual([])
    expect(broken(restarted, until('10:13:00'))).toEqual(['L1 x'])
  })
})

describe('a task that has never run', () => {
  const missed = (end: string) => `10:09:00 IS x\n10:09:01 IEs\n10:10:00 ${end}`

  it.each(['Crash', 'SS\n10:10:00.500 SE'])('is not owed what it missed before %s', (end) => {
    const restarted = `${missed(end)}\n10:11:00 IS x\n10:11:01 IEs`
    expect(broken(restarted, until('10:15:00'))).toEqual([])
    expect(broken(`${restarted}\n10:11:02 RS x`)).toEqual(['S1 x'])
  })

  it('is owed the minute that still lasts at the next start', () => {
    const restarted = `${missed('Crash')}\n10:10:30 IS x\n10:10:31 IEs`
    expect(broken(`${restarted}\n10:10:32 RS x`)).toEqual([])
    expect(broken(restarted, until('10:15:00'))).toEqual(['L1 x'])
  })

  it('is not owed what passed while nothing was Active', () => {
    const restarted = `${running}\n10:06:00 Crash\n10:35:00 IS x\n10:35:01 IEs`
    expect(broken(restarted, until('10:39:00'))).toEqual([])
    expect(broken(`${restarted}\n10:35:02 RS x`)).toEqual(['S1 x'])
  })
})

describe('a task that has run', () => {
  it('is owed one run for all that passed while nothing was Active', () => {
    const restarted = `${ranOnce}\n10:11:00 Crash\n10:55:00 IS x\n10:55:01 IEs`
    expect(broken(`${restarted}\n10:55:02 RS x\n10:55:03 REs x`)).toEqual([])
    expect(broken(restarted, until('10:57:00'))).toEqual(['L1 x'])
    expect(
      broken(`${restarted}\n10:55:02 RS x\n10:55:03 REs x\n10:55:04 RS x\n10:55:05 REs x`),
    ).toEqual(['S1 x', 'S2 x'])
  })

  it('is owed one run for a minute inside of a run, whether that succeeds or fails', () => {
    for (const end of ['REs', 'REf']) {
      const owed = `${running}\n10:10:00 RS x\n10:20:30 ${end} x`
      expect(broken(`${owed}\n10:20:31 RS x\n10:20:32 REs x`)).toEqual([])
      expect(broken(owed, until('10:22:00'))).toEqual(['L1 x'])
    }
  })

  it('is forgotten when it is removed and added again', () => {
    const again = `${ranOnce}
      10:11:00 Crash
      10:11:01 IS
      10:11:02 IEs
      10:25:00 Crash
      10:25:01 IS x
      10:25:02 IEs`
    expect(broken(again, until('10:29:00'))).toEqual([])
    expect(broken(`${again}\n10:25:03 RS x`)).toEqual(['S1 x'])
  })
})

describe('an initialization', () => {
  it('that ends after stop was called makes nothing Active', () => {
    const cut = '10:00:00 IS x\n10:00:01 SS\n10:00:02 IEs'
    expect(broken(`${cut}\n10:00:03 SE`, until('10:15:00'))).toEqual([])
    expect(broken(`${cut}\n10:00:03 RS x`)).toEqual(['S1 x'])
    expect(broken(`${cut}\n10:00:03 SE\n10:00:04 RS x`)).toEqual(['Th3 x'])
    expect(broken(`${cut}\n10:00:03 SE\n10:00:04 IS x\n10:00:04 IEs\n10:00:05 RS x`)).toEqual([])
  })

  it('that ends after the stop that came during it does not count for the next', () => {
    const cut = '10:01:00 IS x\n10:01:01 SS\n10:01:02 SE\n10:01:03 IEs'
    expect(broken(`${cut}\n10:01:04 IS x\n10:01:04 IEs`)).toEqual([])
  })

  it('that succeeds while a list is Active does not excuse what that owed', () => {
    expect(broken(`${running}\n10:12:00 IS x\n10:12:00 IEs`)).toEqual(['S6', 'L1 x'])
  })

  it('is waited for by the stop that came during it', () => {
    const cut = '10:00:00 IS x\n10:00:01 SS\n10:00:55 IEs'
    expect(broken(`${cut}\n10:01:55 SE`)).toEqual([])
    expect(broken(`${cut}\n10:01:56 SE`)).toEqual(['L3'])
  })

  it('over a minute boundary may see either minute', () => {
    const before = '10:09:59.900 IS x\n10:10:00.100 IEs'
    expect(broken(`${before}\n10:10:00.200 RS x`)).toEqual([])
    expect(broken(before, until('10:15:00'))).toEqual([])
    const after = '10:10:59.900 IS x\n10:11:00.100 IEs'
    expect(broken(`${after}\n10:11:00.200 RS x`)).toEqual([])
    expect(broken(after, until('10:15:00'))).toEqual([])
  })

  it('within a matching minute demands a start', () => {
    const within = '10:10:59.800 IS x\n10:10:59.900 IEs'
    expect(broken(`${within}\n10:11:00.200 RS x`)).toEqual([])
    expect(broken(within, until('10:15:00'))).toEqual(['L1 x'])
  })

  it('may see a minute that came and went during it', () => {
    const long = '10:09:59 IS x\n10:11:01 IEs'
    expect(broken(`${long}\n10:11:02 RS x`, { lagMs: 120_000 })).toEqual([])
  })
})

describe('an override with another expression', () => {
  const overridden = (definition: string) => `${ranOnce}
    10:10:02 SS
    10:10:02 SE
    10:17:00 IS x=${definition}
    10:17:01 IEs`

  it('owes a run when the new expression has matched since the last start', () => {
    expect(broken(`${overridden('at15')}\n10:17:02 RS x\n10:17:03 REs x`)).toEqual([])
    expect(broken(overridden('at15'), until('10:19:00'))).toEqual(['L1 x'])
  })

  it('owes nothing when it has not', () => {
    const hourly = overridden('once')
    expect(broken(hourly, until('10:59:00'))).toEqual([])
    expect(broken(`${hourly}\n10:17:02 RS x`)).toEqual(['S1 x'])
  })

  it('takes back what the old expression owed', () => {
    const missed = `${ranOnce}\n10:19:59 SS\n10:19:59 SE\n10:21:00 IS x=once\n10:21:01 IEs`
    expect(broken(missed, until('10:30:00'))).toEqual([])
    expect(broken(`${missed}\n10:21:02 RS x`)).toEqual(['S1 x'])
  })

  it('of a task that never ran owes the current minute and nothing else', () => {
    const fresh = (at: string) => `${running}\n10:06:00 SS\n10:06:00 SE\n${at} IS x=at12\n${at} IEs`
    expect(broken(fresh('10:12:30'), until('10:15:00'))).toEqual(['L1 x'])
    expect(broken(fresh('10:13:00'), until('10:15:00'))).toEqual([])
  })
})

describe('a task that calls stop itself', () => {
  const text = `${running}\n10:10:00 RS x\n10:10:01 SS\n10:10:01 SE\n10:10:02 REs x`

  it('may run on when stop ends', () => {
    expect(broken(text)).toEqual(['S3 x'])
    expect(broken(text, { mayOutliveStop: ['x'] })).toEqual([])
  })

  it('may look like an orphan at the next start', () => {
    const again = `${text}\n10:11:00 IS x\n10:11:00 IEs\n10:11:01 RS x\n10:11:02 REs x`
    expect(broken(again, { mayOutliveStop: ['x'] })).toEqual([])
  })
})

describe('a run that outlives the registration of its task', () => {
  const options = { mayOutliveStop: ['x'] }
  const again = `${running}
    10:10:00 RS x
    10:10:01 SS
    10:10:01 SE
    10:11:00 IS
    10:11:00 IEs
    10:11:01 SS
    10:11:01 SE
    10:11:02 IS x
    10:11:02 IEs`

  it.each(['REs', 'REf'])('leaves nothing behind when it ends with %s', (end) => {
    const ended = `${again}\n10:11:10 ${end} x`
    expect(broken(ended, { ...options, ...until('10:19:00') })).toEqual([])
    expect(broken(`${ended}\n10:20:00 RS x\n10:20:01 REs x`, options)).toEqual([])
  })

  it('makes no orphan of the task that came after it', () => {
    const crashed = `${again}\n10:12:00 Crash\n10:13:00 IS x\n10:13:00 IEs`
    expect(broken(crashed, { ...options, ...until('10:19:00') })).toEqual([])
  })
})

describe('several stops at once', () => {
  it('count each from its own first quiet moment', () => {
    const text = (end: string) => `${running}\n10:06:00 SS\n10:06:50 SS#2\n${end} SE`
    expect(broken(text('10:07:00'))).toEqual([])
    expect(broken(text('10:07:01'))).toEqual(['L3'])
  })

  it('each have to wait and to end', () => {
    const text = (second: string) => `${running}
      10:10:00 RS x
      10:10:01 SS
      10:10:02 SS#2
      10:10:03 REs x
      10:10:03 SE
      ${second} SE#2`
    expect(broken(text('10:11:03'))).toEqual([])
    expect(broken(text('10:11:04'))).toEqual(['L3'])
  })
})

describe('a run in a process that was taken over', () => {
  const takenOver = `10:09:00 IS x
    10:09:00 IEs
    10:10:00 RS x
    10:10:05 Crash! x
    10:10:05 IS x
    10:10:05 IEs`

  it('is no orphan', () => {
    expect(broken(takenOver, until('10:14:00'))).toEqual([])
    expect(broken(`${takenOver}\n10:10:05 RS x`)).toEqual(['S1 x'])
  })

  it('owes the minutes that have come since, as any other', () => {
    expect(broken(`${takenOver}\n10:20:00 RS x`)).toEqual([])
    expect(broken(takenOver, until('10:22:00'))).toEqual(['L1 x'])
  })
})
