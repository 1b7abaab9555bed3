import { describe, expect, it } from 'vitest'
import { broken, running, until } from '../../testing/trace/written-trace.js'

describe('the repairs of the theory', () => {
  it('T1: two crashes in a row are none of S6, two initializations are', () => {
    expect(broken(`${running}\n10:06:00 Crash\n10:06:01 Crash`)).toEqual([])
    expect(broken(`${running}\n10:06:00 IS x\n10:06:00 IEs`)).toEqual(['S6'])
  })

  it('T2: a valid list may fail while another is Active', () => {
    expect(broken(`${running}\n10:06:00 IS y\n10:06:00 IEf`)).toEqual([])
  })

  it('T2: a valid list may fail while another initialization or a stop is open', () => {
    expect(broken('10:05:00 IS x\n10:05:00 IS#2 x\n10:05:00 IEf#2\n10:05:01 IEs')).toEqual([])
    expect(broken('10:05:00 IS x\n10:05:00 IS#2 x\n10:05:00 IEf\n10:05:01 IEs#2')).toEqual([])
    expect(broken('10:05:00 SS\n10:05:00 IS x\n10:05:00 IEf\n10:05:01 SE')).toEqual([])
    expect(broken('10:05:00 IS x\n10:05:00 SS\n10:05:00 IEf\n10:05:01 SE')).toEqual([])
    expect(broken('10:05:00 SS\n10:05:00 SE\n10:05:00 IS x\n10:05:01 IEf')).toEqual(['S5'])
  })

  it('T3: all tasks whose minute is current at the start may start, one after the other', () => {
    const boot = '10:00:10 IS x y\n10:00:11 IEs\n10:00:12 RS x\n10:00:20 REs x'
    expect(broken(`${boot}\n10:00:30 RS y`)).toEqual([])
    expect(broken(boot, until('10:02:00'))).toEqual(['L1 y'])
  })

  it('T4: a stop has to end soon after the last run, also when something ran at its call', () => {
    const text = (end: string) => `${running}
      10:10:00 RS x
      10:10:01 SS
      10:30:00 REs x
      ${end} SE`
    expect(broken(text('10:31:00'))).toEqual([])
    expect(broken(text('10:31:01'))).toEqual(['L3'])
  })

  it('T5: the retry is that of the latest failure', () => {
    const failedTwice = `${running}\n10:10:00 RS x\n10:10:05 REf x\n10:11:05 RS x\n10:11:30 REf x`
    expect(broken(`${failedTwice}\n10:12:29 RS x`)).toEqual(['S1 x'])
    expect(broken(`${failedTwice}\n10:12:30 RS x`)).toEqual([])
  })

  it('T6: S5 and S6 are checked like the rest', () => {
    expect(broken('10:05:00 IS x\n10:05:00 IEf')).toEqual(['S5'])
    expect(broken(`${running}\n10:05:02 IS x\n10:05:02 IEs`)).toEqual(['S6'])
  })

  it('T7: an old crash does not make an orphan again at a later one', () => {
    const restarted = `${running}
      10:10:00 RS x
      10:10:01 Crash
      10:11:00 IS x
      10:11:00 IEs
      10:11:00 RS x
      10:11:05 REs x
      10:11:10 Crash
      10:12:00 IS x
      10:12:00 IEs`
    expect(broken(restarted, until('10:15:00'))).toEqual([])
    expect(broken(`${restarted}\n10:12:01 RS x`)).toEqual(['S1 x'])
  })

  it('T8: a task that is removed and added again within its minute may succeed twice', () => {
    const again = `10:00:05 IS x
      10:00:05 IEs
      10:00:06 RS x
      10:00:07 REs x
      10:00:10 SS
      10:00:10 SE
      10:00:11 IS
      10:00:11 IEs
      10:00:12 SS
      10:00:12 SE
      10:00:13 IS x
      10:00:13 IEs`
    expect(broken(`${again}\n10:00:14 RS x\n10:00:15 REs x`)).toEqual([])
    expect(broken(again, until('10:02:00'))).toEqual(['L1 x'])
  })
})
