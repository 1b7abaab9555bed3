import { describe, expect, it } from 'vitest'
import { instant } from '../../testing/trace/trace-notation.js'
import { broken, ranOnce, until, writtenTrace } from '../../testing/trace/written-trace.js'
import { checkTrace } from './check-trace.js'

describe('a clock that is set forward', () => {
  const forward = `${ranOnce}\n10:12:00 ClockStep 10:55:00`

  it('owes one run for all that it skipped', () => {
    expect(broken(`${forward}\n10:55:30 RS x\n10:55:31 REs x`)).toEqual([])
    expect(broken(forward, until('10:57:00'))).toEqual(['L1 x'])
    expect(broken(`${forward}\n10:55:30 RS x\n10:55:31 REs x\n10:55:32 RS x`)).toEqual(['S1 x'])
  })

  it('owes nothing when it skipped no match', () => {
    const short = `${ranOnce}\n10:12:00 ClockStep 10:19:00`
    expect(broken(short, until('10:19:59'))).toEqual([])
    expect(broken(`${short}\n10:19:30 RS x`)).toEqual(['S1 x'])
  })

  it('does not count as time that passed', () => {
    const text = `${ranOnce}\n10:20:00 ClockStep 15:00:00\n15:00:59 RS x\n15:01:00 REs x`
    expect(broken(text)).toEqual([])
    expect(broken('10:00:00 SS\n10:00:30 ClockStep 11:00:00\n11:00:29 SE')).toEqual([])
    expect(broken('10:00:00 SS\n10:00:30 ClockStep 11:00:00\n11:00:31 SE')).toEqual(['L3'])
  })

  it('brings a retry that it passes', () => {
    const failed = `10:25:00 IS patient
      10:25:00 IEs
      10:30:00 RS patient
      10:30:01 REf patient
      10:31:00 ClockStep 10:45:00`
    expect(broken(`${failed}\n10:45:00 RS patient`)).toEqual([])
    expect(broken(failed, until('10:46:30'))).toEqual(['L1 patient'])
  })
})

describe('a clock that is set back', () => {
  const back = `${ranOnce}\n10:12:00 ClockStep 10:07:00`

  it('does not make a minute due again that was served', () => {
    expect(broken(back, until('10:19:59'))).toEqual([])
    expect(broken(`${back}\n10:10:00 RS x`)).toEqual(['S1 x'])
    expect(broken(`${back}\n10:20:00 RS x\n10:20:01 REs x`)).toEqual([])
  })

  it('makes minutes due that never were', () => {
    const far = `${ranOnce}\n10:12:00 ClockStep 09:45:00`
    expect(broken(`${far}\n09:50:00 RS x\n09:50:01 REs x\n10:00:00 RS x\n10:00:01 REs x`)).toEqual(
      [],
    )
    expect(broken(far, until('09:52:00'))).toEqual(['L1 x'])
  })

  it('lets the minute run that is current then, if it never was, and does not demand it', () => {
    const into = `${ranOnce}\n10:12:00 ClockStep 09:50:30`
    expect(broken(`${into}\n09:50:31 RS x`)).toEqual([])
    expect(broken(into, until('09:52:00'))).toEqual([])
  })

  it('does not make the current minute due again', () => {
    const into = `${ranOnce}\n10:12:00 ClockStep 10:10:30`
    expect(broken(into, until('10:15:00'))).toEqual([])
    expect(broken(`${into}\n10:10:31 RS x`)).toEqual(['S1 x'])
  })

  it('does not stall what comes after the old time', () => {
    expect(broken(back, until('10:21:30'))).toEqual(['L1 x'])
  })

  it('twice does not make a minute due again either', () => {
    const twice = `${back}\n10:11:00 ClockStep 10:06:00`
    expect(broken(twice, until('10:19:59'))).toEqual([])
    expect(broken(`${twice}\n10:10:00 RS x`)).toEqual(['S1 x'])
  })

  it('before a minute was served lets it be served at once or when it comes again', () => {
    const unserved = `10:05:00 IS x
      10:05:01 IEs
      10:10:00.001 ClockStep 10:02:00`
    expect(broken(`${unserved}\n10:02:01 RS x\n10:02:02 REs x`)).toEqual([])
    expect(broken(`${unserved}\n10:10:00 RS x\n10:10:02 REs x`)).toEqual([])
    expect(broken(unserved, until('10:11:30'))).toEqual(['L1 x'])
  })

  it('before a minute was served lets it be served both times', () => {
    const unserved = `10:05:00 IS x
      10:05:01 IEs
      10:10:00.001 ClockStep 10:02:00
      10:02:01 RS x
      10:02:02 REs x`
    expect(broken(`${unserved}\n10:10:00 RS x\n10:10:02 REs x`)).toEqual([])
    expect(broken(unserved, until('10:12:00'))).toEqual([])
  })

  it('does not make the minute of the initialization due again', () => {
    const boot = '10:10:30 IS x\n10:10:31 IEs'
    const served = `${boot}\n10:10:32 RS x\n10:10:33 REs x\n10:11:00 ClockStep 10:09:00`
    expect(broken(`${served}\n10:10:00 RS x`)).toEqual(['S1 x'])
    expect(broken(served, until('10:19:59'))).toEqual([])
    const unserved = `${boot}\n10:10:32 ClockStep 10:09:00\n10:09:01 RS x\n10:09:02 REs x`
    expect(broken(`${unserved}\n10:10:00 RS x\n10:10:01 REs x`)).toEqual([])
  })

  it('over time in which nothing was Active demands nothing of it', () => {
    const down = `${ranOnce}
      10:11:00 Crash
      10:35:00 IS x
      10:35:00 IEs
      10:35:01 RS x
      10:35:02 REs x
      10:36:00 ClockStep 10:15:00`
    expect(broken(down, until('10:39:59'))).toEqual([])
    expect(broken(`${down}\n10:20:00 RS x\n10:20:01 REs x`)).toEqual([])
    expect(broken(down, until('10:42:00'))).toEqual(['L1 x'])
  })

  it('after a step forward makes what that skipped due, but not what it ran for', () => {
    const there = `${ranOnce}
      10:12:00 ClockStep 10:55:00
      10:55:01 RS x
      10:55:02 REs x
      10:56:00 ClockStep 10:13:00`
    const served = `${there}
      10:20:00 RS x
      10:20:01 REs x
      10:30:00 RS x
      10:30:01 REs x
      10:40:00 RS x
      10:40:01 REs x`
    expect(broken(served, until('10:59:59'))).toEqual([])
    expect(broken(`${served}\n10:50:00 RS x`)).toEqual(['S1 x'])
    expect(broken(there, until('10:22:00'))).toEqual(['L1 x'])
  })

  it('into a minute demands it neither then nor at the next step back', () => {
    const twice = `${ranOnce}
      10:12:00 ClockStep 09:50:30
      09:50:31 RS x
      09:50:32 REs x
      09:52:00 ClockStep 09:49:00`
    expect(broken(twice, until('09:59:59'))).toEqual([])
    expect(broken(`${twice}\n09:50:00 RS x`)).toEqual([])
  })

  it('and forward again owes nothing for minutes that were served', () => {
    const thereAndBack = `${ranOnce}\n10:12:00 ClockStep 10:05:00\n10:06:00 ClockStep 10:13:00`
    expect(broken(thereAndBack, until('10:19:59'))).toEqual([])
    expect(broken(`${thereAndBack}\n10:13:01 RS x`)).toEqual(['S1 x'])
  })

  it('and forward again over minutes of which the last was served may owe the others', () => {
    const thereAndBack = `${ranOnce}\n10:12:00 ClockStep 09:45:00\n09:46:00 ClockStep 10:13:00`
    expect(broken(thereAndBack, until('10:19:59'))).toEqual([])
    expect(broken(`${thereAndBack}\n10:13:01 RS x\n10:13:02 REs x`)).toEqual([])
  })

  it('while nothing was Active hides what passed before the old time', () => {
    const down = `${ranOnce}
      10:11:00 Crash
      10:12:00 ClockStep 09:45:00
      09:55:00 IS x
      09:55:00 IEs`
    expect(broken(down, until('09:59:59'))).toEqual([])
    expect(broken(`${down}\n09:55:01 RS x\n09:55:02 REs x`)).toEqual([])
    expect(broken(down, until('10:02:00'))).toEqual(['L1 x'])
  })

  it('right after a step forward that nobody can have seen takes back what that owed', () => {
    const glitch = `10:05:00 IS hourly
      10:05:01 IEs
      10:06:00 ClockStep 11:30:00
      11:30:05 ClockStep 10:06:05`
    expect(broken(glitch, until('10:59:59'))).toEqual([])
    expect(broken(`${glitch}\n11:00:00 RS hourly`)).toEqual([])
    expect(broken(glitch, until('11:02:00'))).toEqual(['L1 hourly'])
  })
})

describe('a retry on a clock that is set back', () => {
  const failed = `10:25:00 IS patient
    10:25:00 IEs
    10:30:00 RS patient
    10:30:01 REf patient`

  it('waits for its instant when the failure is over still', () => {
    const back = `${failed}\n10:35:00 ClockStep 10:32:00`
    expect(broken(`${back}\n10:40:00 RS patient`)).toEqual(['S1 patient'])
    expect(broken(`${back}\n10:40:01 RS patient`)).toEqual([])
    expect(broken(back, until('10:41:30'))).toEqual(['L1 patient'])
  })

  it('may begin its wait again when the failure is still to come', () => {
    const back = `${failed}\n10:35:00 ClockStep 10:05:00`
    expect(broken(`${back}\n10:14:59 RS patient`)).toEqual(['S1 patient'])
    expect(broken(`${back}\n10:15:00 RS patient`)).toEqual([])
    expect(broken(back, until('10:41:00'))).toEqual([])
    expect(broken(back, until('10:41:30'))).toEqual(['L1 patient'])
  })
})

describe('a retry whose wait may have begun again', () => {
  const back = `10:25:00 IS patient
    10:25:00 IEs
    10:30:00 RS patient
    10:30:01 REf patient
    10:35:00 ClockStep 10:05:00`

  it('may come after that wait, however often the clock is set back', () => {
    const again = `${back}\n10:10:00 ClockStep 10:02:00`
    expect(broken(`${again}\n10:06:59 RS patient`)).toEqual(['S1 patient'])
    expect(broken(`${again}\n10:07:00 RS patient`)).toEqual([])
  })

  it('need not come before that wait is over', () => {
    const forward = `${back}\n10:06:00 ClockStep 10:45:00`
    const waiting = checkTrace(writtenTrace(forward), until('10:53:59'))
    expect(waiting).toEqual({ violations: [], open: [] })
    expect(broken(forward, until('10:55:00'))).toEqual([])
    expect(broken(forward, until('10:55:01'))).toEqual(['L1 patient'])
  })
})

describe('an initialization while the clock is set', () => {
  it('may see another minute than that of its call and its end', () => {
    const text = `10:10:05 IS x
      10:10:06 ClockStep 10:15:00
      10:15:01 ClockStep 10:10:20
      10:10:21 IEs`
    expect(broken(text, until('10:15:00'))).toEqual([])
  })

  it('may find missed what a step forward skipped', () => {
    const text = '10:05:00 IS x\n10:05:01 ClockStep 10:15:00\n10:15:01 IEs'
    expect(broken(`${text}\n10:15:02 RS x`)).toEqual([])
    expect(broken(text, until('10:19:00'))).toEqual([])
  })

  it('may see any minute that the clock showed', () => {
    const text = `10:05:00 IS x
      10:05:01 ClockStep 10:10:30
      10:10:31 ClockStep 10:05:30
      10:05:31 IEs`
    expect(broken(`${text}\n10:05:32 RS x`)).toEqual([])
    expect(broken(text, until('10:09:00'))).toEqual([])
  })
})

describe('an override on a clock that was set back', () => {
  it('may owe a run, and need not', () => {
    const text = `${ranOnce}
      10:12:00 ClockStep 09:55:00
      09:55:01 SS
      09:55:01 SE
      10:02:00 IS x=hourly
      10:02:00 IEs`
    expect(broken(`${text}\n10:02:01 RS x\n10:02:02 REs x`)).toEqual([])
    expect(broken(text, until('10:59:59'))).toEqual([])
  })

  it('that may have been recorded or not lets minutes be due again', () => {
    const text = `${ranOnce}
      10:12:00 ClockStep 10:07:00
      10:08:00 Crash
      10:08:10 IS x=hourly
      10:08:11 Crash
      10:08:20 IS x
      10:08:21 IEs`
    expect(broken(`${text}\n10:10:00 RS x\n10:10:01 REs x`)).toEqual([])
    expect(broken(text, until('10:15:00'))).toEqual([])
  })

  it('demands no minute again that its run may have made up for', () => {
    const text = `${ranOnce}
      10:12:00 SS
      10:12:00 SE
      11:02:00 IS x=hourly
      11:02:00 IEs
      11:02:01 RS x
      11:02:02 REs x
      11:03:00 ClockStep 10:58:00`
    expect(broken(text, until('11:05:00'))).toEqual([])
    expect(broken(`${text}\n11:00:00 RS x\n11:00:01 REs x`)).toEqual([])
  })
})

describe('a storage that is down while the clock is set', () => {
  it('has its minute of grace in time that passed', () => {
    const text = (start: string) => `10:05:00 IS x
      10:05:01 IEs
      10:10:10 ClockStep 11:15:00
      ${start} RS x`
    const storageDown = [[instant('10:10:00'), instant('10:59:00')]] as const
    expect(broken(text('11:17:00'), { storageDown })).toEqual([])
    expect(broken(text('11:17:01'), { storageDown })).toEqual(['L1 x'])
  })
})
