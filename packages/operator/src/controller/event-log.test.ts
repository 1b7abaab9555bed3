import type { Job } from '@kron/core'
import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { at, jobOf, kronJobOf } from '../../testing/cluster/samples.js'
import { compileKronJob } from '../kronjob/index.js'
import { ApiFailure } from '../kube/index.js'
import { EventLog } from './event-log.js'

const record = { identity: 'default/backup' }
const job: Job = compileKronJob(kronJobOf())
const decision = job.decide(at('10:00:00'))
const period = { identity: 'default/backup', period_id: '2026-03-01T10:00:00Z' }

/** What one call logs. */
function logged(tell: (events: EventLog) => void): Record<string, unknown> {
  const lines: Record<string, unknown>[] = []
  const clock = new VirtualClock(at('10:00:00'))
  const write = (line: string): void => void lines.push(JSON.parse(line))
  tell(new EventLog(createLog({ format: 'json', level: 'debug', component: 'test', clock, write })))
  expect(lines).toHaveLength(1)
  const { time, component, ...said } = lines[0]!
  return said
}

const settled = (outcome: 'skipped' | 'missed' | 'unschedulable', reason: string) =>
  logged((events) =>
    events.settled(record, { nominalTime: at('10:00:00'), chosenTime: null, outcome, reason }),
  )

describe('the log of a controller', () => {
  it('tells of a decision with all that it was made of', () => {
    expect(logged((events) => events.decision(record, job, decision))).toMatchObject({
      level: 'info',
      event: 'decision',
      ...period,
      chosen_time: '2026-03-01T10:00:00Z',
    })
  })

  it('tells how late a period is looked at, from its time or else from its window', () => {
    const late = (made: typeof decision) =>
      logged((events) => events.trigger(record, made, 'execute', at('10:00:00') + 250))
    expect(late(decision)).toEqual({
      level: 'info',
      event: 'trigger',
      ...period,
      verdict: 'execute',
      late_ms: 250,
    })
    const without = { ...decision, chosenTime: null, windowStart: at('09:59:59') }
    expect(late(without)).toMatchObject({ late_ms: 1250 })
  })

  it.each([
    [false, {}],
    [true, { existed: true }],
  ])('tells of a Job that was started, or was there: %j', (existed, more) => {
    expect(logged((events) => events.started(record, decision, 'backup-1', existed))).toEqual({
      level: 'info',
      event: 'started',
      ...period,
      outcome: 'executed',
      job: 'backup-1',
      ...more,
    })
  })

  it.each([
    ['skipped', 'concurrency', 'skipped_concurrency', 'info'],
    ['missed', '5m late', 'missed_deadline', 'info'],
    ['unschedulable', 'none', 'constraint_unsatisfiable', 'warn'],
  ] as const)('tells of a period that was %s', (outcome, reason, event, level) => {
    expect(settled(outcome, reason)).toEqual({ level, event, ...period, outcome, reason })
  })

  it('tells of what it does not answer for', () => {
    const since = at('10:12:00')
    expect(logged((events) => events.notResponsible(record, decision, since))).toEqual({
      level: 'info',
      event: 'not_responsible',
      ...period,
      responsible_since: '2026-03-01T10:12:00Z',
    })
  })

  it('tells of Jobs that were replaced, ended or pruned', () => {
    const { nominalTime } = decision
    expect(logged((events) => events.replaced(record, nominalTime, 'backup-1'))).toEqual({
      level: 'info',
      event: 'replaced',
      ...period,
      job: 'backup-1',
    })
    expect(logged((events) => events.pruned(record, 'backup-1'))).toEqual({
      level: 'debug',
      event: 'pruned',
      identity: 'default/backup',
      job: 'backup-1',
    })
  })

  it('tells of the end of a Job that is of no period', () => {
    const manual = jobOf('10:00:00', 'succeeded', { period: null })
    expect(logged((events) => events.completed(record, manual))).toEqual({
      level: 'info',
      event: 'completed',
      identity: 'default/backup',
      job: 'backup-10:00:00',
      result: 'succeeded',
    })
  })

  it('tells what a replacement waits for', () => {
    const old = jobOf('09:00:00', 'active', { deletingSince: at('10:00:00') })
    expect(logged((events) => events.waiting(record, decision.nominalTime, old, 10_000))).toEqual({
      level: 'warn',
      event: 'replacement_waiting',
      ...period,
      job: 'backup-09:00:00',
      deleting_since: '2026-03-01T10:00:00Z',
      waited_ms: 10_000,
    })
  })

  it.each([
    ['09:00:00', 'warn', -3_600_000],
    ['11:00:00', 'info', 3_600_000],
  ])('tells of a clock that is set to %s', (time, level, jump_ms) => {
    const jump = { from: at('10:00:00'), to: at(time) }
    expect(logged((events) => events.clockJump(jump))).toEqual({
      level,
      event: 'clock_jump',
      from: '2026-03-01T10:00:00Z',
      to: `2026-03-01T${time}Z`,
      jump_ms,
    })
  })

  it('tells of failures with what they are about', () => {
    const error = new ApiFailure('no', { status: 500 })
    const about = logged((events) => events.failure(error, 'create_job', record, at('10:00:00')))
    expect(about).toMatchObject({
      level: 'error',
      ...period,
      operation: 'create_job',
      message: 'no',
    })
    const general = logged((events) => events.failure(error, 'list'))
    expect(general).toMatchObject({ identity: null, operation: 'list', message: 'no' })
    expect(general).not.toHaveProperty('period_id')
  })
})
