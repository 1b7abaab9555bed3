import { describe, expect, it } from 'vitest'
import { broken, ranOnce, until } from '../../testing/trace/written-trace.js'

describe('minutes before the last start that another expression has', () => {
  const overridden = `${ranOnce}
      10:12:00 SS
      10:12:00 SE
      10:12:10 IS x=hourly
      10:12:11 IEs`

  it('are due when the clock is set back to before them', () => {
    const text = `${overridden}\n10:13:00 ClockStep 09:58:00`
    expect(broken(text, until('10:01:30'))).toEqual(['L1 x'])
    expect(broken(`${text}\n10:00:00 RS x`, until('10:01:30'))).toEqual([])
  })

  it('need not be due any more to a scheduler that started since', () => {
    const text = `${overridden}
      10:12:30 Crash
      10:12:40 IS x=hourly
      10:12:41 IEs
      10:13:00 ClockStep 09:58:00`
    expect(broken(text, until('10:01:30'))).toEqual([])
    expect(broken(`${text}\n10:00:00 RS x`, until('10:01:30'))).toEqual([])
  })
})

describe('minutes that passed during a run', () => {
  it('may be due again when the clock is set back over them, also after a smaller step', () => {
    const text = `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:34:00 ClockStep 10:33:59
      10:36:00 ClockStep 10:22:00
      10:23:00 Crash
      10:24:00 IS x
      10:24:01 IEs
      10:24:02 RS x
      10:24:03 REs x`
    expect(broken(`${text}\n10:30:00 RS x\n10:30:01 REs x`)).toEqual([])
    expect(broken(text, until('10:35:00'))).toEqual([])
  })
})

describe('a minute that a step forward skipped during a run', () => {
  const text = (end: string) => `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:12:00 ClockStep 10:25:00
      ${end} REs x
      ${end} RS x
      ${end} REs x
      ${end} ClockStep 10:15:00
      10:20:00 RS x
      10:20:01 REs x`

  it('is not due again when its run began before the next minute came', () => {
    expect(broken(text('10:29:00'))).toEqual(['S1 x', 'S2 x'])
  })

  it('may be due again when its run began after the next, and may be for that alone', () => {
    expect(broken(text('10:31:00'))).toEqual([])
  })
})

describe('minutes during a run that a small step back did not reach', () => {
  it('may be due again, once the process died, when they come again', () => {
    const text = `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:34:00 ClockStep 10:33:59
      10:35:00 Crash
      10:36:00 IS x
      10:36:01 IEs
      10:36:02 RS x
      10:36:03 REs x
      10:37:00 ClockStep 10:18:00`
    expect(broken(`${text}\n10:20:00 RS x\n10:20:01 REs x`)).toEqual([])
    expect(broken(text, until('10:29:00'))).toEqual([])
  })
})

describe('a minute that was made up for and comes after all', () => {
  const text = `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:10:01 REs x
      10:11:00 ClockStep 10:35:00
      10:35:01 RS x
      10:35:02 REs x
      10:35:03 ClockStep 10:15:00
      10:20:00 RS x
      10:20:01 REs x`

  it('is not due to the one who made up for it', () => {
    expect(broken(`${text}\n10:30:00 RS x\n10:30:01 REs x`)).toEqual(['S1 x', 'S2 x'])
  })

  it('is not due to the next one either, whether it starts before the minute or after it', () => {
    const before = `${text}\n10:22:00 Crash\n10:22:10 IS x\n10:22:11 IEs`
    expect(broken(`${before}\n10:30:00 RS x\n10:30:01 REs x`)).toEqual(['S1 x', 'S2 x'])
    const after = `${text}\n10:32:00 Crash\n10:32:10 IS x\n10:32:11 IEs`
    expect(broken(`${after}\n10:32:11 RS x\n10:32:12 REs x`)).toEqual(['S1 x', 'S2 x'])
    expect(broken(after, until('10:39:00'))).toEqual([])
  })
})

describe('a minute that was missed while nothing was Active, and made up for', () => {
  const missed = `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:10:01 REs x
      10:11:00 Crash
      10:35:00 IS x
      10:35:00 IEs
      10:35:01 RS x
      10:35:02 REs x`

  it('is not due again when the clock is set back, to nobody', () => {
    const back = `${missed}\n10:36:00 ClockStep 10:25:00`
    expect(broken(`${back}\n10:30:00 RS x\n10:30:01 REs x`)).toEqual(['S1 x', 'S2 x'])
    const restarted = `${back}\n10:26:00 Crash\n10:26:10 IS x\n10:26:11 IEs`
    expect(broken(`${restarted}\n10:30:00 RS x\n10:30:01 REs x`)).toEqual(['S1 x', 'S2 x'])
    expect(broken(restarted, until('10:39:00'))).toEqual([])
  })

  it('leaves the others that were missed to come again', () => {
    const back = `${missed}\n10:36:00 ClockStep 10:15:00`
    expect(broken(`${back}\n10:20:00 RS x\n10:20:01 REs x`)).toEqual([])
  })
})

describe('a minute that was skipped just before one that has run', () => {
  const text = (landing: string) => `10:28:00 IS x
      10:28:01 IEs
      10:30:00 RS x
      10:30:01 REs x
      10:31:00 ClockStep 10:05:00
      10:10:00 RS x
      10:10:01 REs x
      10:11:00 ClockStep ${landing}`

  it('is owed, but not by one who notices the step only with the next', () => {
    expect(broken(`${text('10:29:30')}\n10:29:31 RS x`)).toEqual([])
    expect(broken(text('10:29:30'), until('10:35:00'))).toEqual([])
    expect(broken(text('10:27:00'), until('10:29:30'))).toEqual(['L1 x'])
  })
})

describe('minutes during a run on a clock that was set back, without a record since', () => {
  it('may be due again, once the process died, when they come again', () => {
    const text = `10:28:00 IS x
      10:28:01 IEs
      10:30:00 RS x
      10:35:00 ClockStep 10:15:00
      10:23:00 Crash
      10:24:00 IS x
      10:24:01 IEs
      10:24:02 RS x
      10:24:03 REs x
      10:25:00 ClockStep 10:18:00`
    expect(broken(`${text}\n10:20:00 RS x\n10:20:01 REs x`)).toEqual([])
    expect(broken(text, until('10:29:00'))).toEqual([])
  })
})

describe('minutes during a run that came twice', () => {
  const text = (begin: string, first: string) => `${begin} IS x
      ${begin} IEs
      ${first} RS x
      10:41:00 ClockStep 10:25:00
      10:33:00 SS
      10:34:00 REs x
      10:34:00 SE
      10:35:00 IS x
      10:35:01 IEs`

  it('need not be due to a scheduler that started since', () => {
    expect(broken(text('10:12:00', '10:20:00'), until('10:39:00'))).toEqual([])
    expect(broken(`${text('10:12:00', '10:20:00')}\n10:35:01 RS x`)).toEqual([])
  })

  it('leave due what came once before them', () => {
    expect(broken(text('10:08:00', '10:10:00'), until('10:39:00'))).toEqual(['L1 x'])
  })
})

describe('a new expression on a clock that was set back', () => {
  it('is not demanded in the minute in which watching began, nor after it', () => {
    const text = `10:05:00 IS x=hourly
      10:05:01 IEs
      10:06:00 ClockStep 10:20:30
      10:24:00 SS
      10:24:00 SE
      10:24:00 IS x
      10:24:01 IEs
      10:30:00 RS x
      10:30:01 REs x
      10:31:00 ClockStep 10:18:00`
    expect(broken(text, until('10:35:00'))).toEqual([])
    expect(broken(`${text}\n10:20:00 RS x`)).toEqual([])
  })
})

describe('minutes that passed before a record that may be lost', () => {
  const text = (crash: string) => `10:08:00 IS x
      10:08:01 IEs
      10:10:00 RS x
      10:31:00 REs x
      10:31:00 ${crash}
      10:31:10 IS x
      10:31:11 IEs
      10:31:12 RS x
      10:31:13 REs x
      10:32:00 ClockStep 10:25:00
      10:30:00 RS x
      10:30:01 REs x`

  it('may be due again when the clock is set back', () => {
    expect(broken(text('Crash x'))).toEqual([])
    expect(broken(text('Crash'))).toEqual(['S1 x', 'S2 x'])
  })
})
