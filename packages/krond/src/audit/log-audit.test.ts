import { tzdataVersion } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { honestLog } from '../../testing/audit/honest-log.js'
import {
  audited,
  type Event,
  field,
  indexOf,
  isEvent,
  later,
  parsed,
  rulesOf,
  samePeriod,
  spring,
} from '../../testing/audit/tampered-log.js'
import { auditRules } from './audit-report.js'
import { auditLog } from './log-audit.js'

describe('the log of a daemon that keeps its contract', () => {
  it.each([1, 2, 3, 4, 5, 6])('has no violation, in world %d', async (seed) => {
    const log = await honestLog({ seed, from: spring, hours: 96, crashChance: 0.2 })
    const report = auditLog(log)
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ violation_count: 0, unverified: 0, jobs: 7 })
    expect(report.lines).toBe(log.length)
    expect(report.lives).toBeGreaterThan(2)
    expect(report.torn).toBeGreaterThan(0)
  })

  it('may have begun to plan in the period before the one in which that is logged', async () => {
    const log = await honestLog({ seed: 1, from: spring - 5, hours: 2 })
    const events = log.map((line) => JSON.parse(line) as Event)
    const first = indexOf(events, (line) => isEvent(line, 'decision'))
    expect(events[first - 1]).toMatchObject({ event: 'not_responsible' })
    const slow = events.map((line, index) =>
      index < first ? line : { ...line, time: later(line['time'], 10) },
    )
    expect(events[first]!['period_id']).toBe('2026-03-27T00:00:00Z')
    expect(audited(slow).violations).toEqual([])
  })

  it('is summed up', () => {
    const log = parsed()
    const count = (...names: string[]): number =>
      log.filter((line) => names.includes(String(field(line, 'event')))).length
    expect(audited(log)).toEqual({
      lines: log.length,
      lives: count('start'),
      jobs: 7,
      decisions: { recomputed: count('decision'), not_comparable: 0 },
      executions: count('started'),
      outcomes: {
        executed: count('started'),
        skipped: count('skipped_concurrency', 'skipped_superseded'),
        missed: count('missed_deadline'),
        unschedulable: count('constraint_unsatisfiable'),
      },
      torn: log.filter((line) => typeof line === 'string').length,
      unknown_events: 0,
      unverified: 0,
      dropped: 0,
      unproved: [],
      tzdata: tzdataVersion,
      violation_count: 0,
      violations_by_rule: {},
      violations: [],
    })
  })

  it('may have events that are not known, errors, output and reloads', () => {
    const log = parsed()
    const { level, component } = log[0] as Event
    const { time } = log[indexOf(log, (line) => isEvent(line, 'completed'))] as Event
    const head = { time, level, component }
    const identity = 'a:b'
    const period_id = '2026-03-01T00:00:00Z'
    const failure = { error_type: 'SystemError', operation: 'reload', message: 'no such file' }
    const at = indexOf(log, (line) => isEvent(line, 'completed'))
    log.splice(
      at,
      0,
      { ...head, event: 'novelty' },
      { ...head, event: 'error', level: 'error', identity: null, ...failure },
      { ...head, event: 'notice', level: 'warn', message: 'there is nothing to run' },
      { ...head, event: 'listening', address: '127.0.0.1:9180' },
      { ...head, event: 'output', identity, period_id, stream: 'stdout', line: '{' },
      { ...head, event: 'reload', jobs: 7, added: 0, changed: 0, removed: 0 },
    )
    expect(audited(log)).toMatchObject({ violation_count: 0, unknown_events: 1, jobs: 7 })
  })

  it('may begin in the middle of a life, and then says what it could not check', () => {
    const log = parsed()
    const report = audited(log.slice(indexOf(log, (line) => isEvent(line, 'started'))))
    expect(report.violations).toEqual([])
    expect(report.unverified).toBeGreaterThan(0)
  })

  it('may have a new life right behind the line that a crash tore', () => {
    const log = parsed()
    const at = log.findIndex((line) => typeof line === 'string')
    log.splice(at, 2, `${log[at]}${JSON.stringify(log[at + 1])}`)
    expect(audited(log)).toMatchObject({ violation_count: 0, lives: audited(parsed()).lives })
  })

  it('may be of another time zone database, where decisions are not comparable', () => {
    const log = parsed()
    for (const line of log) {
      if (isEvent(line, 'start') || isEvent(line, 'decision')) line['tzdata'] = '1999a'
    }
    const at = indexOf(log, (line) => isEvent(line, 'decision', { timezone: 'Europe/Paris' }))
    Object.assign(log[at] as Event, { seed_hash: 'other' })
    const report = audited(log)
    expect(report.violations).toEqual([])
    expect(report.decisions.not_comparable).toBe(1)
    expect(report.unproved).toEqual([expect.stringContaining('with tzdata 1999a')])
    const inUtc = indexOf(log, (line) => isEvent(line, 'decision', { timezone: 'UTC' }))
    Object.assign(log[inUtc] as Event, { seed_hash: 'other' })
    expect(rulesOf(audited(log))).toEqual(['recomputed'])
  })

  it('may be one of an older krond, of which not all can be proved', () => {
    const log = parsed().filter((line) => !isEvent(line, 'unplanned'))
    const added = ['log_version', 'judged_at']
    for (const line of log) {
      for (const name of added) if (typeof line === 'object') delete line[name]
      if (isEvent(line, 'decision')) delete line['tzdata']
      if (isEvent(line, 'stop')) delete line['jobs']
    }
    const report = audited(log)
    expect(report.violations).toEqual([])
    expect(report.unproved).toEqual([expect.stringContaining('does not show every job')])
    const period = log.filter((line) => isEvent(line, 'started'))[20]!
    expect(
      audited(log.filter((line) => !samePeriod(line, period))).violation_count,
    ).toBeGreaterThan(0)
    const kept = ['start', 'decision', 'stop']
    const reduced = log.filter((line) => kept.includes(String(field(line, 'event'))))
    expect(audited(reduced).violation_count).toBeGreaterThan(0)
  })
})

describe('a part of a log', () => {
  const cuts = (log: readonly unknown[]): number[] =>
    Array.from({ length: 24 }, (_, n) => Math.floor(((n + 0.5) / 24) * log.length))

  it('may begin anywhere', async () => {
    const log = await disturbed(1)
    for (const at of cuts(log)) expect(auditLog(log.slice(at)).violations).toEqual([])
  })

  it('may end anywhere', async () => {
    const log = await disturbed(2)
    for (const at of cuts(log)) {
      const cut = log.slice(0, at)
      if (cut.at(-1)!.endsWith('}')) expect(auditLog(cut).violations).toEqual([])
    }
  })

  it('may have lost the last lines before the machine went down', async () => {
    for (const seed of [3, 4]) {
      const log = await disturbed(seed)
      const ends = [...log.keys()].filter(
        (at) => at > 0 && isStart(log[at]!) && log[at - 1]!.endsWith('}') && !isStop(log, at),
      )
      expect(ends.length).toBeGreaterThan(0)
      for (const end of ends) {
        for (const lost of [1, 2, 3, 5, 8]) {
          const short = log
            .toSpliced(end - lost, lost)
            .map((line, at) => (at < end - lost ? line : line.replace('"b1"', '"b2"')))
          if (short.slice(0, end).some(isStart)) expect(auditLog(short).violations).toEqual([])
        }
      }
    }
  })

  it('may say that lines were dropped, of which nothing can be proved then', async () => {
    const log = await disturbed(5)
    for (const at of cuts(log)) {
      const count = Math.min(1 + (at % 40), log.length - at)
      const { time } = JSON.parse(log.slice(0, at).findLast((line) => line.endsWith('}'))!)
      const dropped = { time, level: 'warn', component: 'krond', event: 'log_dropped', own: count }
      const lines = log.toSpliced(at, count, JSON.stringify(dropped))
      const starts = log.slice(at, at + count).filter(isStart).length
      if (starts > 0) continue
      const report = auditLog(lines)
      expect(report.violations).toEqual([])
      expect(report).toMatchObject({ dropped: count })
      expect(report.unproved[0]).toMatch(/^\d+ lines? dropped, as the log says$/)
      const silent = auditLog(log.toSpliced(at, count))
      expect(silent.violation_count > 0 || silent.lines === 0 || count < 3).toBe(true)
    }
  })
})

const disturbed = (seed: number): Promise<string[]> =>
  honestLog({ seed, from: spring, hours: 40, crashChance: 0.2, disturbed: true, maxRunning: 3 })

const isStart = (line: string): boolean => line.includes('"event":"start"')

/** Whether the life before this `start` was stopped. */
const isStop = (log: readonly string[], at: number): boolean => {
  const first = log.findLastIndex((line, index) => index < at && isStart(line))
  return log.slice(first, at).some((line) => line.includes('"event":"stop"'))
}

describe('a hostile log', () => {
  it('is read to its end, and never throws', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'decision'))
    const decision = JSON.stringify({ ...(log[at] as Event), distribution: null })
    const nested = decision.replace('"distribution":null', `"distribution":${deep}`)
    log.splice(at + 1, 0, nested, '{"__proto__":{"event":"start"}}', '"\\ud800"', deep)
    const report = audited(log)
    expect(report.lines).toBe(log.length)
    expect(rulesOf(report)).toEqual(expect.arrayContaining(['recomputed', 'shape', 'line']))
  })

  it('has all its violations counted, of which the first are kept', () => {
    const report = auditLog(Array.from({ length: 10_007 }, () => 'text'))
    expect(report.violation_count).toBe(10_007)
    expect(report.violations).toHaveLength(10_000)
  })
})

describe('the rules', () => {
  it('have short names and read as sentences', () => {
    for (const [name, meaning] of Object.entries(auditRules)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(meaning).toMatch(/^[a-z].{20,}[^.]$/)
    }
  })
})
