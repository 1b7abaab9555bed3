import { expect, it } from 'vitest'
import { instant, readTrace } from '../../testing/trace/trace-notation.js'
import { checkTrace } from './check-trace.js'
import { formatViolation } from './format-violation.js'

const definitions = { x: '0 * * * *', y: '* * * * *' }

it('shows the violation with the events of its task around it', () => {
  const trace = readTrace(
    `10:05:00 IS x y
     10:05:01 IEs
     10:05:02 RS y
     10:05:03 REs y
     10:06:00 RS y
     10:06:01 RS x
     10:06:02 REs y
     10:06:03 REs x`,
    definitions,
  )
  const [violation] = checkTrace(trace).violations
  expect(formatViolation(violation!, trace)).toBe(
    [
      'S1 at 2026-01-01T10:06:01.000Z, event 5: task "x": it was started without being due',
      '  [0] 2026-01-01T10:05:00.000Z IS call 1, 2 tasks',
      '  [1] 2026-01-01T10:05:01.000Z IEs call 1',
      '> [5] 2026-01-01T10:06:01.000Z RS "x"',
      '  [7] 2026-01-01T10:06:03.000Z REs "x"',
    ].join('\n'),
  )
})

it('shows what came last for a violation at the end', () => {
  const text = `10:05:00 IS! x
    10:05:01 IEf excused
    10:05:02 ClockStep 10:30:00
    10:30:00 SS`
  const trace = readTrace(text, definitions)
  const [violation] = checkTrace(trace, { endAt: instant('10:32:00') }).violations
  expect(formatViolation(violation!, trace)).toBe(
    [
      'L3 at 2026-01-01T10:32:00.000Z, the end of the trace: ' +
        'stop had not ended 120000 ms after the last run had',
      '  [0] 2026-01-01T10:05:00.000Z IS call 1, 1 tasks, invalid',
      '  [1] 2026-01-01T10:05:01.000Z IEf call 1, excused',
      '  [2] 2026-01-01T10:05:02.000Z ClockStep to 2026-01-01T10:30:00.000Z',
      '  [3] 2026-01-01T10:30:00.000Z SS call 1',
    ].join('\n'),
  )
})

it('shows times that no date can hold as numbers', () => {
  const trace = [{ event: 'Crash', at: Number.NaN }] as const
  const [violation] = checkTrace(trace).violations
  expect(formatViolation(violation!, trace)).toContain('> [0] NaN Crash')
})
