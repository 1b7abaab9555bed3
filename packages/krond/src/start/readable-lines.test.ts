import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { readableLines } from './readable-lines.js'

const now = new Date(2026, 2, 1, 10, 0, 0)
const local = (...parts: [number, number, number, number, number]): string =>
  new Date(...parts).toISOString()

type Event = [string, Record<string, unknown>]

function linesOf(isTerminal: boolean, ...events: Event[]): string[] {
  return written({ isTerminal, kill: false }, events)
}

function written(
  { isTerminal, kill }: { isTerminal: boolean; kill: boolean },
  events: readonly Event[],
): string[] {
  const lines: string[] = []
  const log = createLog({
    format: readableLines({ env: {}, stdout: { isTerminal } }, { kill }),
    level: 'info',
    component: 'krond',
    clock: new VirtualClock(now),
    write: (line) => void lines.push(line),
  })
  for (const [event, fields] of events) log.info(event, fields)
  return lines
}

const ofJob = { identity: '/etc/krond.d/shop.krontab:stock/sync', period_id: 'p' }

describe('the log on a terminal', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['start', { version: '1.2.3', jobs: 3, state: '/s' }, 'krond 1.2.3 runs 3 jobs'],
    ['next', { ...ofJob, due: local(2026, 2, 1, 11, 30) }, 'is the first to run, at 11:30:00'],
    ['foreground', {}, 'runs in the foreground; this is its log. Ctrl-C stops it.'],
    ['decision', { ...ofJob, chosen_time: local(2026, 2, 1, 11, 30) }, 'at 11:30:00, in 1h30m'],
    ['decision', { ...ofJob, chosen_time: local(2026, 2, 3, 2, 0) }, 'at 2026-03-03 02:00:00, in'],
    [
      'decision',
      { ...ofJob, chosen_time: null, reason: 'why' },
      'will not run in this period: why',
    ],
    ['decision', { ...ofJob, chosen_time: local(2026, 2, 1, 9, 0) }, 'now; it was due at 09:00:00'],
    ['started', { ...ofJob, pid: 7 }, 'started as process 7'],
    ['output', { ...ofJob, stream: 'stdout', line: 'a line' }, '| a line'],
    [
      'completed',
      { ...ofJob, exit_code: 0, signal: null, duration_ms: 2100 },
      'ended well after 2.1s',
    ],
    [
      'completed',
      { ...ofJob, exit_code: 3, signal: null, duration_ms: 1 },
      'failed with exit code 3',
    ],
    [
      'completed',
      { ...ofJob, exit_code: null, signal: 'SIGKILL', duration_ms: 1 },
      'ended by SIGKILL',
    ],
    ['completed', { ...ofJob, exit_code: null, signal: null, duration_ms: 1 }, 'is not known'],
    ['missed_deadline', { ...ofJob, reason: '20m late' }, 'missed: 20m late'],
    ['reschedule', { ...ofJob, reason: 'queue', due: 'x' }, 'waits for a place'],
    ['recovered', { ...ofJob, pid: 7, alive: true }, 'still runs as process 7'],
    ['stop', { running: 0 }, 'stops'],
    [
      'stop',
      { running: 2 },
      'waits for 2 jobs that run. Ctrl-C again ends krond at once and leaves',
    ],
    ['left', { running: 1 }, 'left 1 job running; the next krond start takes over'],
    ['error', { ...ofJob, message: 'no such command' }, 'no such command'],
  ])('says of %s %j: %s', (event, fields, words) => {
    const [line, ...rest] = linesOf(false, [event, fields])
    expect(rest).toEqual([])
    expect(line).toContain(words)
    expect(line).toMatch(/^10:00:00 {2}(?:krond|stock\/sync) /)
  })

  it('says that a krond that was started with --kill ends what runs', () => {
    const lines = written({ isTerminal: false, kill: true }, [['stop', { running: 2 }]])
    expect(lines).toEqual([expect.stringContaining('stops, and ends 2 jobs that run')])
  })

  it('leaves out what nobody waits for', () => {
    expect(linesOf(false, ['trigger', ofJob], ['not_responsible', ofJob])).toEqual([])
  })

  it('says once what is wrong with the jobs, and then that it does not start', () => {
    const wrong = (message: string): Event => ['error', { ...ofJob, message, operation: 'read' }]
    const start = (message: string): Event => ['error', { ...ofJob, message, operation: 'start' }]
    expect(
      linesOf(false, wrong('a:1: no'), wrong('a:2: no'), start('a:1: no (and 1 more)')),
    ).toEqual([
      expect.stringMatching(/ stock\/sync +a:1: no$/),
      expect.stringMatching(/ stock\/sync +a:2: no$/),
      expect.stringMatching(/ krond +does not start because of the 2 errors above$/),
    ])
    expect(linesOf(false, start('the lock is held'))[0]).toMatch(/ krond +the lock is held$/)
  })

  it('shows an event that it does not know as it is', () => {
    expect(linesOf(false, ['else', { key: 1 }])[0]).toContain('event=else key=1')
  })

  it('lets no job move the cursor or paint', () => {
    const line = '\u001b[2Jgone\u009b31m\u202e'
    expect(linesOf(false, ['output', { ...ofJob, stream: 'stdout', line }])[0]).toMatch(
      /\| \ufffd\[2Jgone\ufffd31m\ufffd$/,
    )
  })

  it('has colours on a terminal only', () => {
    const event: [string, Record<string, unknown>] = ['error', { message: 'm' }]
    expect(linesOf(true, event)[0]).toContain('\u001b[1;31mm')
    expect(linesOf(false, event)[0]).not.toContain('\u001b')
  })
})
