import { describe, expect, it } from 'vitest'
import { readTrace } from '../../testing/trace/trace-notation.js'
import { checkTrace } from './check-trace.js'

const definitions = { x: '0,10,20,30,40,50 * * * *' }
const running = '10:05:00 IS x\n10:05:01 IEs'

function broken(text: string): string[] {
  const { violations } = checkTrace(readTrace(text, definitions))
  return violations.map(({ axiom, task }) => (task === undefined ? axiom : `${axiom} ${task}`))
}

describe('a malformed trace', () => {
  it.each([
    ['an end without a start', '10:00:00 REs x'],
    ['an end after a crash', `${running}\n10:10:00 RS x\n10:10:01 Crash\n10:10:02 REf x`],
    ['an initialize that ends without a start', '10:00:00 IEs'],
    ['an initialize that fails without a start', '10:00:00 IEf#2'],
    ['an initialize that ends after a crash', '10:00:00 IS x\n10:00:01 Crash\n10:00:02 IEs'],
    ['the same call twice', '10:00:00 IS! x\n10:00:00 IS! x'],
    ['a stop that ends without a start', '10:00:00 SE'],
    ['a stop that ends after a crash', '10:00:00 SS\n10:00:01 Crash\n10:00:02 SE'],
    ['the same stop twice', '10:00:00 SS\n10:00:00 SS'],
    ['time that goes back', '10:00:00 SS\n09:59:59.999 SE'],
    ['a valid list with a name twice', '10:00:00 IS x x'],
  ])('with %s blames who wrote it', (_, text) => {
    expect(broken(text).map((violation) => violation.split(' ')[0])).toEqual(['malformed'])
  })

  it.each([
    [{ event: 'Sleep', at: 5 }],
    [{ event: 'SS', at: 5.5, call: 1 }],
    [{ event: 'SS', at: Number.NaN, call: 1 }],
    [{ event: 'SS', at: 9e15, call: 1 }],
    [{ event: 'ClockStep', at: 5, to: 0.5 }],
  ])('with %j blames who wrote it', (event) => {
    const trace = [event] as unknown as Parameters<typeof checkTrace>[0]
    expect(checkTrace(trace).violations).toMatchObject([{ axiom: 'malformed', index: 0 }])
  })

  it('with a valid list that nobody can follow blames who wrote it', () => {
    const tasks = [{ name: 'x', expression: 'often', retryDelayMs: 0 }]
    const trace = [
      { event: 'IS', at: 0, call: 1, tasks, valid: true } as const,
      { event: 'IEs', at: 0, call: 1 } as const,
    ]
    expect(checkTrace(trace).violations).toMatchObject([
      { axiom: 'malformed', index: 1, task: 'x' },
    ])
  })

  it('with an end of observation before its last event blames who wrote it', () => {
    const { violations } = checkTrace(readTrace(running, definitions), { endAt: 0 })
    expect(violations).toMatchObject([{ axiom: 'malformed', index: 2 }])
  })

  it('is checked on from where it went wrong', () => {
    expect(broken(`${running}\n10:06:00 REs x\n10:10:00 RS x\n10:10:30 RS x`)).toEqual([
      'malformed x',
      'Th2 x',
    ])
  })
})
