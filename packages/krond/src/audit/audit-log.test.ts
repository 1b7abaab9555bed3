import { tzdataVersion } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { auditLog, auditRules } from './index.js'
import { simulatedLog } from './simulated-log.js'
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
} from './tampered-log.js'

describe('the log of a daemon that keeps its contract', () => {
  it.each([1, 2, 3, 4, 5, 6])('has no violation, in world %d', (seed) => {
    const log = simulatedLog({ seed, from: spring, hours: 240, crashChance: 0.05 })
    const report = auditLog(log)
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ violation_count: 0, unverified: 0, jobs: 6 })
    expect(report.lines).toBe(log.length)
    expect(report.lives).toBeGreaterThan(2)
    expect(report.torn).toBeGreaterThan(0)
  })

  it('is summed up', () => {
    const log = parsed()
    const count = (...names: string[]): number =>
      log.filter((line) => names.includes(String(field(line, 'event')))).length
    expect(audited(log)).toEqual({
      lines: log.length,
      lives: count('start'),
      jobs: 6,
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
      tzdata: tzdataVersion,
      violation_count: 0,
      violations_by_rule: {},
      violations: [],
    })
  })

  it('may have events that are not known, errors, output and reloads', () => {
    const log = parsed()
    const { time, level, component } = log[0] as Event
    const head = { time, level, component }
    const identity = 'a:b'
    const period_id = '2026-03-01T00:00:00Z'
    log.splice(
      5,
      0,
      { ...head, event: 'novelty' },
      { ...head, event: 'error', error_type: 'SystemError' },
      { ...head, event: 'notice', message: 'there is nothing to run' },
      { ...head, event: 'listening', address: '127.0.0.1:9180' },
      { ...head, event: 'output', identity, period_id, stream: 'stdout', line: '{' },
      { ...head, event: 'reload', jobs: 1, added: 0, changed: 1, removed: 0 },
    )
    expect(audited(log)).toMatchObject({ violation_count: 0, unknown_events: 1, jobs: 6 })
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

  it('may tell a start and its end out of step with the disk, around a crash', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'recovered'))
    const recovered = log[at] as Event
    const started = log.findLastIndex(
      (line, index) => index < at && isEvent(line, 'started') && samePeriod(line, recovered),
    )
    expect(started).toBeGreaterThan(0)
    const last = log.findLastIndex(
      (line, index) => index < at && field(line, 'identity') === recovered['identity'],
    )
    const unlogged = log.filter(
      (_, index) =>
        index !== started &&
        !(
          index > started &&
          index <= last &&
          field(log[index]!, 'identity') === recovered['identity']
        ),
    )
    expect(audited(unlogged).violations).toEqual([])
    const known = unlogged.findIndex(
      (line) => isEvent(line, 'recovered') && samePeriod(line, recovered),
    )
    const again = unlogged.toSpliced(known + 1, 0, { ...(log[started] as Event), pid: 4 })
    expect(rulesOf(audited(again))).toContain('executed_twice')
    const dead = indexOf(log, (line) => isEvent(line, 'recovered', { alive: false }))
    const ended = { ...(log[dead] as Event), event: 'completed', exit_code: 0, signal: null }
    const start = log.findLastIndex((line, index) => index < dead && isEvent(line, 'start'))
    const crashed = typeof log[start - 1] === 'string' ? start - 1 : start
    const toldTwice = log.toSpliced(crashed, 0, { ...ended, duration_ms: 1 })
    expect(audited(toldTwice).violations).toEqual([])
  })

  it('may be of another time zone database, where decisions are not comparable', () => {
    const log = parsed()
    for (const line of log) if (isEvent(line, 'start')) line['tzdata'] = '1999a'
    const at = indexOf(log, (line) => isEvent(line, 'decision', { timezone: 'Europe/Paris' }))
    Object.assign(log[at] as Event, { seed_hash: 'other' })
    const report = audited(log)
    expect(report.violations).toEqual([])
    expect(report.decisions.not_comparable).toBe(1)
    const inUtc = indexOf(log, (line) => isEvent(line, 'decision', { timezone: 'UTC' }))
    Object.assign(log[inUtc] as Event, { seed_hash: 'other' })
    expect(rulesOf(audited(log))).toEqual(['recomputed'])
  })

  it('may have a start before its chosen time if the clock was set back in between', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const started = log[at] as Event
    const decision = log.find((line) => isEvent(line, 'decision') && samePeriod(line, started))
    started['time'] = later(field(decision!, 'chosen_time'), -5_000)
    expect(rulesOf(audited(log))).toEqual(['too_early'])
    const { time, level, component } = started
    const jump = { event: 'clock_jump', from: time, to: time, jump_ms: -5_000 }
    const told = log.toSpliced(at + 1, 0, { time, level, component, ...jump })
    expect(audited(told).violations).toEqual([])
    const goesOn = log.toSpliced(at + 1, 0, { time, level, component, event: 'listening' })
    expect(audited(goesOn).violations).toEqual([])
    started['time'] = later(field(decision!, 'chosen_time'), -999)
    expect(audited(log).violations).toEqual([])
  })

  it('may have a start before its chosen time if a kill came before the clock was noticed', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const { time, level, component } = log[at] as Event
    const early = { ...(log[at] as Event), time: later(time, -7_200_000) }
    const begun = [...log.slice(0, at), early]
    const start = { ...(log[0] as Event), time: later(time, 3_600_000) }
    expect(audited([...begun, start]).violations).toEqual([])
    const stop = { time, level, component, event: 'stop', running: 1 }
    expect(rulesOf(audited([...begun, stop, start]))).toEqual(['too_early'])
  })

  it('may count the current period as handled when its state was lost', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const { time, level, component, identity, period_id } = log[at] as Event
    const lost = { time, level, component, event: 'state_lost', identity, moved_to: 'x' }
    expect(audited(log.toSpliced(at + 1, 0, { ...lost, period_id })).violations).toEqual([])
    expect(audited(log.toSpliced(at, 0, { ...lost, period_id: null })).violations).toEqual([])
    const before = audited(log.toSpliced(at, 0, { ...lost, period_id }))
    expect(rulesOf(before)).toContain('outcome_changed')
    const recovered = indexOf(log, (line) => isEvent(line, 'recovered', { alive: false }))
    const unknown = { ...(log[recovered] as Event), event: 'state_lost', moved_to: 'x' }
    expect(audited(log.toSpliced(recovered, 1, unknown)).violations).toEqual([])
  })
})

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
    expect(rulesOf(report)).toEqual(['recomputed', 'shape', 'line'])
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
