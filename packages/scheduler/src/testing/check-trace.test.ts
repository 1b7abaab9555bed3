import { describe, expect, it } from 'vitest'
import { instant, readTrace } from '../../testing/trace/trace-notation.js'
import { broken, running, writtenTrace } from '../../testing/trace/written-trace.js'
import { checkTrace } from './check-trace.js'
import type { TraceOptions } from './trace.js'

describe('the reference traces of the theory', () => {
  it.each([
    [
      'a run, a failed run and its retry',
      `${running}
       10:10:00 RS x
       10:10:05 REs x
       10:20:00 RS x
       10:20:05 REf x
       10:21:05 RS x
       10:21:06 REs x`,
    ],
    [
      'a stop and a second initialization',
      `${running}
       10:05:02 SS
       10:05:03 SE
       10:05:04 IS x
       10:05:05 IEs
       10:10:00 RS x
       10:10:01 REs x`,
    ],
    [
      'a run that a crash interrupts',
      `${running}
       10:10:00 RS x
       10:10:30 Crash
       10:11:00 IS x
       10:11:01 IEs
       10:11:01 RS x
       10:11:02 REs x`,
    ],
    [
      'a run that a crash interrupts, with a due minute before the restart',
      `${running}
       10:10:00 RS x
       10:10:30 Crash
       10:20:30 IS x
       10:20:31 IEs
       10:20:31 RS x
       10:20:32 REs x`,
    ],
  ])('%s', (_, text) => {
    const report = checkTrace(writtenTrace(text))
    expect(report).toEqual({ violations: [], open: [] })
  })
})

/** For each axiom what breaks it, and what just does not. */
const table: readonly [
  axiom: string,
  title: string,
  broken: string,
  kept: string,
  options?: TraceOptions,
][] = [
  [
    'S1 x',
    'a start before the minute',
    `${running}\n10:09:59.999 RS x`,
    `${running}\n10:10:00 RS x`,
  ],
  [
    'S1 y',
    'a start of a task that is not registered',
    `${running}\n10:10:00 RS x\n10:10:00 RS y`,
    `10:05:00 IS x y\n10:05:00 IEs\n10:10:00 RS x\n10:10:00 RS y`,
  ],
  [
    'S1 x',
    'a second start for one minute',
    `${running}\n10:10:00 RS x\n10:10:01 REs x\n10:10:02 RS x`,
    `${running}\n10:10:00 RS x\n10:10:01 REs x\n10:20:00 RS x`,
  ],
  [
    'S1 x',
    'a start after stop was called',
    `${running}\n10:10:00 SS\n10:10:00 RS x`,
    `${running}\n10:10:00 RS x\n10:10:00 SS`,
  ],
  [
    'S1 x',
    'a start before initialize succeeded',
    '10:10:00 IS x\n10:10:00 RS x',
    '10:10:00 IS x\n10:10:00 IEs\n10:10:00 RS x',
  ],
  [
    'S1 x',
    'a retry before its time',
    `${running}\n10:10:00 RS x\n10:10:05 REf x\n10:11:04.999 RS x`,
    `${running}\n10:10:00 RS x\n10:10:05 REf x\n10:11:05 RS x`,
  ],
  [
    'S2 x',
    'two successes in one due period',
    `${running}\n10:10:00 RS x\n10:10:01 REs x\n10:10:01 RS x\n10:10:02 REs x`,
    `${running}\n10:10:00 RS x\n10:10:01 REf x\n10:11:01 RS x\n10:11:02 REs x`,
  ],
  [
    'S3 x',
    'a stop that does not wait',
    `${running}\n10:10:00 RS x\n10:10:01 SS\n10:10:02 SE`,
    `${running}\n10:10:00 RS x\n10:10:01 SS\n10:10:02 REs x\n10:10:02 SE`,
  ],
  ['S4', 'an invalid list', '10:05:00 IS! x\n10:05:01 IEs', '10:05:00 IS! x\n10:05:01 IEf'],
  [
    'S5',
    'a valid list that is refused',
    '10:05:00 IS x\n10:05:01 IEf',
    '10:05:00 IS x\n10:05:01 IEf excused',
  ],
  [
    'S6',
    'two successes of initialize',
    `${running}\n10:06:00 IS x\n10:06:01 IEs`,
    `${running}\n10:06:00 IS x\n10:06:01 IEf`,
  ],
  [
    'Th1 x',
    'a start after a crash',
    `${running}\n10:06:00 Crash\n10:10:00 RS x`,
    `${running}\n10:06:00 Crash\n10:07:00 IS x\n10:07:00 IEs\n10:10:00 RS x`,
  ],
  [
    'Th2 x',
    'a start of a task that runs',
    `${running}\n10:10:00 RS x\n10:20:00 RS x`,
    `${running}\n10:10:00 RS x\n10:20:00 REs x\n10:20:00 RS x`,
  ],
  [
    'Th3 x',
    'a start after a stop',
    `${running}\n10:06:00 SS\n10:06:00 SE\n10:10:00 RS x`,
    `${running}\n10:06:00 SS\n10:06:00 SE\n10:07:00 IS x\n10:07:00 IEs\n10:10:00 RS x`,
  ],
  [
    'L1 x',
    'a start that comes late',
    `${running}\n10:11:00.007 RS x`,
    `${running}\n10:11:00.006 RS x`,
  ],
  [
    'L1 x',
    'a start that had not come when stop was called',
    `${running}\n10:11:00.007 SS`,
    `${running}\n10:11:00.006 SS`,
  ],
  [
    'L1 x',
    'a start that had not come when the process died',
    `${running}\n10:11:00.007 Crash`,
    `${running}\n10:11:00.006 Crash`,
  ],
  [
    'L1 x',
    'an orphan that is not started',
    `${running}\n10:10:00 RS x\n10:10:01 Crash\n10:12:00 IS x\n10:12:00 IEs\n10:13:00.007 SS`,
    `${running}\n10:10:00 RS x\n10:10:01 Crash\n10:12:00 IS x\n10:12:00 IEs\n10:13:00.006 SS`,
  ],
  [
    'L2',
    'an initialization that takes too long',
    '10:01:00 IS x\n10:02:00.007 IEs',
    '10:01:00 IS x\n10:02:00.006 IEs',
  ],
  [
    'L2',
    'an initialization that hangs until the process dies',
    '10:01:00 IS x\n10:02:00.007 Crash',
    '10:01:00 IS x\n10:02:00.006 Crash',
  ],
  [
    'L3',
    'a stop that takes too long',
    `${running}\n10:06:00 SS\n10:07:00.007 SE`,
    `${running}\n10:06:00 SS\n10:07:00.006 SE`,
  ],
  [
    'L3',
    'a stop that hangs until the process dies',
    `${running}\n10:06:00 SS\n10:07:00.007 Crash`,
    `${running}\n10:06:00 SS\n10:07:00.006 Crash`,
  ],
]

describe('each axiom', () => {
  it.each(table)('%s refuses %s, and what is just allowed is not refused', (axiom, _, no, yes) => {
    expect(broken(no)).toContain(axiom)
    expect(broken(yes)).toEqual([])
  })

  it('is broken at the position of the event that breaks it', () => {
    const trace = writtenTrace(`${running}\n10:09:59 RS x`)
    const [violation, ...others] = checkTrace(trace).violations
    expect(violation).toMatchObject({ axiom: 'S1', index: 2, at: instant('10:09:59'), task: 'x' })
    expect(others).toEqual([])
  })
})

describe('the end of a trace', () => {
  const lateEnd = instant('10:11:00.007')
  const earlyEnd = instant('10:11:00.006')

  it('leaves open what is not late yet', () => {
    const trace = writtenTrace(running)
    expect(checkTrace(trace, { endAt: earlyEnd })).toEqual({
      violations: [],
      open: [{ axiom: 'L1', task: 'x', since: instant('10:10:00') }],
    })
  })

  it('refuses what is late, after the last position', () => {
    const trace = writtenTrace(running)
    const { violations, open } = checkTrace(trace, { endAt: lateEnd })
    expect(violations).toMatchObject([{ axiom: 'L1', index: 2, at: lateEnd, task: 'x' }])
    expect(open).toEqual([])
  })

  it.each([
    ['L2', '10:10:00 IS x'],
    ['L3', `${running}\n10:10:00 SS`],
  ])('does the same with %s', (axiom, text) => {
    const trace = writtenTrace(text)
    expect(checkTrace(trace, { endAt: earlyEnd })).toEqual({
      violations: [],
      open: [{ axiom, since: instant('10:10:00') }],
    })
    const { violations, open } = checkTrace(trace, { endAt: lateEnd })
    expect(violations).toMatchObject([{ axiom, index: trace.length, at: lateEnd }])
    expect(open).toEqual([])
  })

  it('is the last event when nothing else is said', () => {
    const trace = writtenTrace(`${running}\n10:10:30 SS#1`)
    expect(checkTrace(trace).open).toEqual([{ axiom: 'L3', since: instant('10:10:30') }])
  })

  it('demands nothing of a stop that waits for a run', () => {
    const trace = writtenTrace(`${running}\n10:10:00 RS x\n10:10:01 SS`)
    expect(checkTrace(trace, { endAt: instant('23:00:00') })).toEqual({ violations: [], open: [] })
  })
})

describe('the lag', () => {
  it('grows with the number of tasks', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `t${index}=minutely`).join(' ')
    const text = (end: string) => `10:05:30 IS x ${many}\n10:05:31 IEs\n${end} SS`
    const complaints = (end: string) => broken(text(end), { lagMs: 100_000 }).length
    expect(complaints('10:07:17.006')).toBe(0)
    expect(complaints('10:07:17.007')).toBe(1000)
  })

  it('is as long as the options say', () => {
    const options = { lagMs: 5000, lagPerTaskMs: 100 }
    expect(broken(`${running}\n10:10:05.100 RS x`, options)).toEqual([])
    expect(broken(`${running}\n10:10:05.101 RS x`, options)).toEqual(['L1 x'])
  })

  it('begins when the run ends for a minute that fell inside of it', () => {
    const text = (start: string) => `${running}
      10:10:00 RS x
      10:25:00 REs x
      ${start} RS x`
    expect(broken(text('10:26:00'))).toEqual([])
    expect(broken(text('10:26:01'))).toEqual(['L1 x'])
  })

  it('begins at the first of several minutes that were missed', () => {
    expect(broken('10:05:00 IS minutely\n10:05:00 IEs\n10:08:00 RS minutely')).toEqual([
      'L1 minutely',
    ])
  })

  it('begins when the list becomes Active for what was missed before', () => {
    const text = (start: string) => `${running}
      10:10:00 RS x
      10:10:01 REs x
      10:10:02 Crash
      10:45:00 IS x
      10:45:01 IEs
      ${start} RS x`
    expect(broken(text('10:46:01'))).toEqual([])
    expect(broken(text('10:46:02'))).toEqual(['L1 x'])
  })
})

describe('time zones', () => {
  const hourly = { night: '30 2 * * *' }
  const check = (text: string) =>
    checkTrace(readTrace(text, hourly), { timeZone: 'Europe/Paris' }).violations

  it('decide which instants are due', () => {
    expect(check('00:00:00 IS night\n00:00:00 IEs\n01:30:00 RS night\n01:30:01 REs night')).toEqual(
      [],
    )
    expect(check('00:00:00 IS night\n00:00:00 IEs\n02:30:00 RS night')).toMatchObject([
      { axiom: 'L1' },
    ])
  })

  it('that do not exist are refused', () => {
    expect(() => checkTrace([], { timeZone: 'Europe/Nowhere' })).toThrow('unknown time zone')
  })
})

describe('a minute that a zone repeats', () => {
  it('is due both times', () => {
    const paris = { timeZone: 'Europe/Paris' }
    const first = Date.parse('2026-10-25T00:30:00Z')
    const second = first + 3_600_000
    const tasks = [{ name: 'night', expression: '30 2 * * *', retryDelayMs: 0 }]
    const trace = (starts: readonly number[]) => [
      { event: 'IS', at: first - 60_000, call: 1, tasks, valid: true } as const,
      { event: 'IEs', at: first - 60_000, call: 1 } as const,
      ...starts.flatMap((at) => [
        { event: 'RS', at, task: 'night' } as const,
        { event: 'REs', at: at + 5, task: 'night' } as const,
      ]),
    ]
    const endAt = second + 600_000
    expect(checkTrace(trace([first, second]), { ...paris, endAt }).violations).toEqual([])
    expect(checkTrace(trace([first]), { ...paris, endAt }).violations).toMatchObject([
      { axiom: 'L1' },
    ])
  })
})

describe('a trace over many years', () => {
  it('costs what its events cost', () => {
    const at = (year: number) => Date.UTC(year, 0, 1)
    const tasks = [{ name: 'x', expression: '* * * * *', retryDelayMs: 0 }]
    const trace = [1970, 2000, 5000, 9000, 200_000].flatMap((year, call) => [
      { event: 'IS', at: at(year), call, tasks, valid: true } as const,
      { event: 'IEs', at: at(year), call } as const,
      { event: 'RS', at: at(year), task: 'x' } as const,
      { event: 'REs', at: at(year) + 1000, task: 'x' } as const,
      { event: 'Crash', at: at(year) + 2000 } as const,
    ])
    expect(checkTrace(trace, { endAt: at(250_000) })).toEqual({ violations: [], open: [] })
  })
})
