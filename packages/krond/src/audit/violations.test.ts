import { describe, expect, it } from 'vitest'
import {
  audited,
  changed,
  type Event,
  field,
  indexOf,
  isEvent,
  isSchedule,
  later,
  parsed,
  rulesOf,
  samePeriod,
} from '../../testing/audit/tampered-log.js'
import type { AuditReport } from './audit-report.js'

describe('a decision that was tampered with', () => {
  it.each([
    ['window_start', '2026-03-26T00:00:00Z'],
    ['window_end', '2027-03-26T00:00:00Z'],
    ['timezone', 'Asia/Tokyo'],
    ['distribution', { name: 'uniform', params: { sample: 'exact' } }],
    ['distribution', []],
    ['seed_strategy', 'weekly'],
    ['salt', 'pepper'],
    ['seed_hash', '00'],
    ['attempts', 63],
    ['constraints_applied', { only: [], avoid: ['hours=3'] }],
    ['constraints_applied', { only: [] }],
    ['reason', 'because'],
  ])('is found by its %s', (name, value) => {
    const [report, line] = changed('decision', { [name]: value })
    expect(rulesOf(report)).toContain('recomputed')
    const { violations } = report
    expect(violations[0]).toMatchObject({ line, event: 'decision', file: null })
    expect(violations.find(({ rule }) => rule === 'recomputed')?.message).toContain(`${name} is`)
  })

  it('is found by a chosen time that is a second off', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'decision') && line['chosen_time'] !== null)
    const decision = log[at] as Event
    decision['chosen_time'] = later(decision['chosen_time'], -1_000)
    const { violations } = audited(log)
    const { identity, period_id } = decision
    expect(violations[0]).toMatchObject({ line: at + 1, rule: 'recomputed', identity, period_id })
    expect(violations[0]?.message).toMatch(/^chosen_time is ".*Z", recomputed ".*Z"$/)
  })

  it('is found by a chosen time outside of its window', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'decision') && line['chosen_time'] !== null)
    const decision = log[at] as Event
    decision['chosen_time'] = later(decision['window_start'], -1_000)
    expect(rulesOf(audited(log))).toContain('window')
    decision['chosen_time'] = later(decision['window_end'], 1_000)
    expect(rulesOf(audited(log))).toContain('window')
  })

  it('is found by a time that is no period, or not the one it says', () => {
    const [other] = changed('decision', { nominal_time: '2026-03-27T00:00:01Z' })
    expect(other.violations.filter(({ rule }) => rule === 'period')).toHaveLength(2)
    const none = { nominal_time: '2026-03-27T00:00:01Z', period_id: '2026-03-27T00:00:01Z' }
    expect(rulesOf(changed('decision', none)[0])).toContain('period')
  })

  it.each([{ schedule: 'nonsense' }, { schedule: '0 0 30 2 *' }, { dialect: 'none' }])(
    'is found by a schedule that can not be read: %j',
    (change) => {
      expect(rulesOf(changed('decision', change)[0])).toContain('schedule')
    },
  )
})

describe('a log that breaks a rule', () => {
  it('is found by a line that is not JSON in the middle of a life', () => {
    for (const text of ['', 'nonsense', '[]', 'null', '{"time":']) {
      const log = parsed()
      log.splice(10, 0, text)
      const { violations } = audited(log)
      expect(violations).toHaveLength(1)
      expect(violations[0]).toMatchObject({ line: 11, event: null, rule: 'line' })
    }
    expect(audited([...parsed(), 'x']).violations).toHaveLength(1)
    const twoTorn = parsed()
    twoTorn.splice(
      twoTorn.findIndex((line) => typeof line === 'string'),
      0,
      '{"time"',
    )
    expect(rulesOf(audited(twoTorn))).toContain('line')
  })

  it.each([
    ['started', { pid: undefined }],
    ['started', { pid: '5' }],
    ['started', { outcome: 'missed' }],
    ['started', { period_id: 'today' }],
    ['started', { identity: '' }],
    ['started', { time: 'now' }],
    ['started', { event: 5 }],
    ['completed', { exit_code: undefined }],
    ['completed', { exit_code: -1 }],
    ['completed', { signal: undefined }],
    ['trigger', { late_ms: 'much' }],
    ['recovered', { alive: 'yes' }],
    ['start', { tzdata: undefined }],
    ['decision', { distribution: 'uniform' }],
    ['decision', { level: 'loud' }],
  ])('is found by a %s event with %j', (event, change) => {
    const [report, line] = changed(event, change)
    expect(report.violations[0]).toMatchObject({ line, rule: 'shape' })
  })

  it('is found by an execution without a decision, or without a trigger', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const without = (event: string): AuditReport =>
      audited(log.filter((line) => !(isEvent(line, event) && samePeriod(line, log[at]!))))
    expect(rulesOf(without('decision'))).toContain('undecided')
    expect(rulesOf(without('trigger'))).toContain('untriggered')
    expect(rulesOf(without('started'))).toContain('unknown_execution')
  })

  it('is found by a period that is executed twice, even in another life', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const again = { ...(log[at] as Event), pid: 4 }
    expect(rulesOf(audited(log.toSpliced(at + 1, 0, again)))).toContain('executed_twice')
    const life = log.findIndex((line, index) => index > at && isEvent(line, 'start'))
    const short = log.slice(0, at + 1)
    const report = audited([...short, log[life]!, again])
    const again3 = report.violations.find(({ rule }) => rule === 'executed_twice')
    expect(again3).toMatchObject({ line: at + 3 })
  })

  it('is found by a period that is executed twice after its state was lost', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const started = log[at] as Event
    const period_id = '2026-03-20T00:00:00Z'
    const lost = { ...started, event: 'state_lost', period_id, moved_to: 'x' }
    const again = audited(log.toSpliced(at + 1, 0, lost, { ...started, pid: 4 }))
    expect(rulesOf(again)).toContain('executed_twice')
  })

  it('is found by an outcome that is told twice, changes, or comes too late', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'missed_deadline'))
    const missed = log[at] as Event
    const twice = audited(log.toSpliced(at + 1, 0, missed))
    expect(twice.violations[0]).toMatchObject({ line: at + 2, rule: 'handled_twice' })
    const skipped = { ...missed, event: 'skipped_superseded', outcome: 'skipped' }
    const change = audited(log.toSpliced(at + 1, 0, skipped))
    expect(change.violations[0]).toMatchObject({ line: at + 2, rule: 'outcome_changed' })
    const late = audited([...log, missed]).violations.find(({ rule }) => rule === 'out_of_order')
    expect(late).toMatchObject({ line: log.length + 1 })
  })

  it('is found by an outcome that is not what the trigger said', () => {
    const skipped = { event: 'skipped_superseded', outcome: 'skipped' }
    expect(rulesOf(changed('missed_deadline', skipped)[0])).toContain('verdict')
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    const trigger = log.findLastIndex(
      (line, index) => index < at && isEvent(line, 'trigger') && samePeriod(line, log[at]!),
    )
    Object.assign(log[trigger] as Event, { verdict: 'skipped' })
    expect(rulesOf(audited(log))).toContain('verdict')
    Object.assign(log[trigger] as Event, { verdict: 'execute' })
    Object.assign(log[at] as Event, { event: 'missed_deadline', outcome: 'missed', reason: '' })
    expect(rulesOf(audited(log))).toContain('verdict')
  })

  it('is found by a trigger before its time or after its deadline', () => {
    const judged = (lateMs: number, verdict: string): AuditReport => {
      const log = parsed()
      const at = indexOf(log, (line) => isEvent(line, 'trigger', { verdict }))
      const trigger = log[at] as Event
      const judged_at = later(trigger['judged_at'], lateMs - Number(trigger['late_ms']))
      log[at] = { ...trigger, time: judged_at, judged_at, late_ms: lateMs }
      return audited(log)
    }
    expect(rulesOf(judged(-1000, 'execute'))).toContain('too_early')
    expect(rulesOf(judged(3_601_000, 'execute'))).toContain('past_deadline')
    expect(rulesOf(judged(500, 'missed'))).toContain('missed_early')
  })

  it('is found by a start or a trigger whose own time is too early', () => {
    const time = '2026-03-20T00:00:00.000Z'
    expect(rulesOf(changed('started', { time })[0])).toContain('too_early')
    const [report, line] = changed('trigger', { time }, { verdict: 'execute' })
    expect(report.violations[0]).toMatchObject({ line, rule: 'time_order' })
  })

  it('has its violations in the order of its lines, whenever they were certain', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'started'))
    Object.assign(log[at] as Event, { time: '2026-03-20T00:00:00.000Z' })
    log.splice(at + 1, 0, 'nonsense')
    const report = audited(log)
    const { violations } = report
    expect(violations.map(({ line }) => line)).toEqual(
      violations.map(({ line }) => line).toSorted((a, b) => a - b),
    )
    expect(rulesOf({ ...report, violations })).toEqual(
      expect.arrayContaining(['time_order', 'too_early', 'line']),
    )
  })

  it('is found by an execution beside another that was not ended', () => {
    for (const policy of ['concurrency=replace', 'deadline=10m']) {
      const log = parsed()
      const jobs = log.filter((line) => isEvent(line, 'decision') && isSchedule(line, policy))
      const identity = field(jobs[0]!, 'identity')
      const unended = (at: number): AuditReport =>
        audited(
          log.filter(
            (line, index) =>
              index !== at &&
              !(isEvent(line, 'replaced', { identity }) && line['pid'] === field(log[at]!, 'pid')),
          ),
        )
      const ends = [...log.keys()].filter((at) => isEvent(log[at]!, 'completed', { identity }))
      const rules = ends.slice(0, 20).map((at) => rulesOf(unended(at)))
      expect(rules.every((broken) => broken.length > 0)).toBe(true)
      expect(rules.flat()).toContain('concurrency')
    }
  })

  it('is not found by an execution that was replaced and ends a little later', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'replaced'))
    const { identity, pid } = log[at] as Event
    const end = log.findIndex((line) => isEvent(line, 'completed', { identity, pid }))
    const next = log.findIndex(
      (line, index) => index > at && isEvent(line, 'started', { identity }),
    )
    const ended = log[end]!
    expect(audited(log.toSpliced(next + 1, 0, ended).toSpliced(end, 1)).violations).toEqual([])
    const unmentioned = log.toSpliced(next + 1, 0, ended).filter((_, i) => i !== end && i !== at)
    expect(rulesOf(audited(unmentioned))).toContain('concurrency')
  })

  it('is found by an execution of an earlier life that nobody speaks of again', () => {
    const log = parsed()
    const forbids = new Set(
      log.filter((line) => isSchedule(line, 'deadline=10m')).map((line) => field(line, 'identity')),
    )
    const at = indexOf(
      log,
      (line) => isEvent(line, 'recovered', { alive: false }) && forbids.has(line['identity']),
    )
    const report = audited(log.toSpliced(at, 1))
    expect(rulesOf(report)).toContain('unaccounted')
    expect(report.violations).toHaveLength(1)
  })

  it('is found by a policy that does not allow what was done', () => {
    const log = parsed()
    const skipped = log.find((line) => isEvent(line, 'skipped_concurrency'))!
    const decision = log.find((line) => isEvent(line, 'decision') && samePeriod(line, skipped))
    const schedule = String((decision as Event)['schedule']).replace(/ @policy\(.*?\)/, '')
    const withPolicy = (policy: string): AuditReport => {
      ;(decision as Event)['schedule'] = `${schedule} @policy(${policy})`
      return audited(log)
    }
    expect(rulesOf(withPolicy('concurrency=allow'))).toContain('policy')
    expect(rulesOf(withPolicy('suspend=true'))).toContain('suspended')
    const replaced = parsed()
    const cause = replaced.find((line) => isEvent(line, 'replaced'))!
    const change = replaced.find((line) => isEvent(line, 'decision') && samePeriod(line, cause))
    const text = String((change as Event)['schedule'])
    ;(change as Event)['schedule'] = text.replace('concurrency=replace', 'concurrency=allow')
    expect(rulesOf(audited(replaced))).toContain('policy')
  })

  it('is found by a period that is unschedulable with a time, or has none and is not', () => {
    const missed = { event: 'missed_deadline', outcome: 'missed', level: 'info' }
    expect(rulesOf(changed('constraint_unsatisfiable', missed)[0])).toContain('unschedulable')
    const none = { event: 'constraint_unsatisfiable', outcome: 'unschedulable', level: 'warn' }
    expect(rulesOf(changed('missed_deadline', none)[0])).toContain('unschedulable')
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'trigger', { verdict: 'unschedulable' }))
    Object.assign(log[at] as Event, { verdict: 'execute' })
    expect(rulesOf(audited(log))).toContain('unschedulable')
  })

  it('is found by an end of something that never began', () => {
    const [report] = changed('completed', { pid: 4 })
    expect(rulesOf(report)).toContain('unknown_execution')
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'completed'))
    const late = {
      ...(log[at] as Event),
      event: 'timed_out',
      level: 'warn',
      timeout_ms: Number((log[at] as Event)['duration_ms']),
    }
    expect(audited(log.toSpliced(at, 0, late)).violations).toEqual([])
    expect(rulesOf(audited(log.toSpliced(at + 1, 0, late)))).toContain('unknown_execution')
    const life = log.findIndex((line, index) => index > at && isEvent(line, 'start'))
    const alive = { ...(log[at] as Event), event: 'recovered', alive: true }
    const revived = audited([...log.slice(0, at + 1), log[life]!, alive])
    expect(rulesOf(revived)).toContain('unknown_execution')
  })

  it('is found by an end without an exit code', () => {
    const none = { exit_code: null, signal: null }
    expect(rulesOf(changed('completed', none, { exit_code: 0 })[0])).toContain('exit_code')
    const both = { exit_code: 1, signal: 'SIGTERM' }
    expect(rulesOf(changed('completed', both)[0])).toContain('exit_code')
  })

  it('is found by a trigger after the daemon stopped', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'trigger'))
    const { time, level, component } = log[at] as Event
    const report = audited(
      log.toSpliced(at, 0, { time, level, component, event: 'stop', running: 0, jobs: 7 }),
    )
    expect(rulesOf(report)).toContain('after_stop')
  })

  it('is found by a period that was due after all, or that was handled', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'not_responsible'))
    const { due } = log[at] as Event
    expect(rulesOf(changed('not_responsible', { responsible_since: due })[0])).toContain(
      'not_responsible',
    )
    const { identity } = log[at] as Event
    const handled = indexOf(log, (line) => isEvent(line, 'started', { identity }))
    const { period_id, time } = log[handled] as Event
    const denied = { ...(log[at] as Event), time, period_id }
    expect(rulesOf(audited(log.toSpliced(handled + 1, 0, denied)))).toContain('not_responsible')
  })

  it('is found by a trigger for a time before the job was answered for', () => {
    const log = parsed()
    const at = indexOf(log, (line) => isEvent(line, 'not_responsible'))
    const { identity } = log[at] as Event
    const trigger = indexOf(
      log,
      (line, index) => index > at && isEvent(line, 'trigger', { identity, verdict: 'execute' }),
    )
    const since = later((log[trigger] as Event)['time'], 3_600_000)
    const period_id = later((log[at] as Event)['period_id'], -86_400_000)
    const again = { ...(log[at] as Event), period_id, responsible_since: since }
    expect(rulesOf(audited(log.toSpliced(at + 1, 0, again)))).toContain('not_responsible')
  })
})
