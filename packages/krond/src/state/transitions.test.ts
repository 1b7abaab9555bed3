import { SchedulingError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveExecution, HandledPeriod, JobState } from './job-state.js'
import { completed, emptyState, givenBack, handled, runningIn, started } from './transitions.js'

const none = emptyState('job')
const at = (ms: number, historyLength = 3) => ({ at: ms, historyLength })

const execution = (nominal: number, pid = nominal + 1): ActiveExecution => ({
  nominal,
  chosen: nominal + 1,
  startedAt: nominal + 2,
  process: { pid, startTicks: pid * 10, bootId: 'boot' },
})
const missed = (nominal: number): HandledPeriod => ({
  nominal,
  outcome: 'missed',
  chosen: nominal + 1,
})

const [first, second, third] = [execution(10), execution(20), execution(30)]

describe('a period without an execution', () => {
  it('becomes the last one, and an entry of the history', () => {
    expect(handled(none, missed(10), at(50))).toEqual({
      ...none,
      last: missed(10),
      history: [{ ...missed(10), completedAt: 50, exitCode: null }],
    })
  })

  it('leaves executions alone', () => {
    const running = started(none, first)
    expect(handled(running, missed(20), at(50)).active).toEqual(first)
  })

  it.each([9, 10])('is refused when it is not after the last one: %d', (nominal) => {
    const state = handled(none, missed(10), at(50))
    expect(() => handled(state, missed(nominal), at(60))).toThrow(SchedulingError)
    expect(() => started(state, execution(nominal))).toThrow(SchedulingError)
  })

  it('is refused with the period that is handled', () => {
    const state = handled(none, missed(60_000), at(50))
    const allowed = 'a period after 1970-01-01T00:01:00Z, which is handled'
    expect(() => handled(state, missed(1000), at(60))).toThrow(
      expect.objectContaining({
        code: 'KRON_INVARIANT',
        message: `job: 1970-01-01T00:00:01Z can't be handled, it must be ${allowed}`,
        details: { field: 'nominal', value: 1000, allowed, identity: 'job' },
      }),
    )
  })
})

describe('a start', () => {
  it('makes the period executed and the execution active', () => {
    const last = { nominal: 10, outcome: 'executed', chosen: 11 }
    expect(started(none, first)).toEqual({ ...none, last, active: first })
  })

  it('moves the execution before to the others', () => {
    const state = started(started(started(none, first), second), third)
    expect(state.active).toEqual(third)
    expect(state.others).toEqual([first, second])
    expect(runningIn(state)).toEqual([first, second, third])
  })

  it('that executed nothing is taken back entirely', () => {
    const before = started(handled(none, missed(5), at(50)), first)
    expect(givenBack(started(before, second), before)).toEqual(before)
    expect(givenBack(started(none, first), none)).toEqual(none)
  })

  it('is taken back without what happened meanwhile', () => {
    const before = started(started(none, first), second)
    const meanwhile = completed(started(before, third), first, 0, at(50))
    const state = givenBack(meanwhile, before)
    expect(state.last).toEqual(before.last)
    expect(runningIn(state)).toEqual([second])
    expect(state.history).toEqual(meanwhile.history)
  })

  it('does not give back a later period that was handled meanwhile', () => {
    const state = givenBack(handled(started(none, first), missed(20), at(50)), none)
    expect(state.last).toEqual(missed(20))
    expect(state.active).toBeNull()
  })

  it('that has completed is not given back', () => {
    const state = completed(started(none, first), first, 127, at(50))
    expect(givenBack(state, none)).toEqual(state)
  })
})

describe('a completion', () => {
  const three = started(started(started(none, first), second), third)
  const entry = { outcome: 'executed', completedAt: 50, exitCode: 3 }

  it('of the active execution leaves the newest other one active', () => {
    const state = completed(three, third, 3, at(50))
    expect(state.active).toEqual(second)
    expect(state.others).toEqual([first])
    expect(state.history).toEqual([{ ...entry, nominal: 30, chosen: 31 }])
  })

  it('of another execution leaves the active one', () => {
    const state = completed(three, first, null, at(50))
    expect(runningIn(state)).toEqual([second, third])
    expect(state.history).toEqual([{ ...entry, nominal: 10, chosen: 11, exitCode: null }])
  })

  it('keeps the period handled', () => {
    expect(completed(started(none, first), first, 0, at(50)).last?.nominal).toBe(10)
  })

  it.each<[string, ActiveExecution]>([
    ['another pid', { ...third, process: { ...third.process, pid: 5 } }],
    ['another start', { ...third, process: { ...third.process, startTicks: 5 } }],
    ['another boot', { ...third, process: { ...third.process, bootId: 'before' } }],
    ['another period', { ...third, nominal: 5 }],
  ])('of a process with %s changes nothing', (_, stranger) => {
    expect(completed(three, stranger, 0, at(50))).toBe(three)
  })

  it('happens once', () => {
    const once = completed(three, third, 0, at(50))
    expect(completed(once, third, 0, at(60))).toBe(once)
  })
})

describe('the history', () => {
  it('drops the oldest first', () => {
    let state = none
    for (const nominal of [1, 2, 3, 4]) state = handled(state, missed(nominal), at(nominal, 2))
    expect(state.history.map(({ nominal }) => nominal)).toEqual([3, 4])
  })

  it('becomes shorter when less is kept than before', () => {
    let state = none
    for (const nominal of [1, 2, 3, 4]) state = handled(state, missed(nominal), at(nominal, 4))
    const { history } = handled(state, missed(5), at(5, 1))
    expect(history.map(({ nominal }) => nominal)).toEqual([5])
  })

  it('can be turned off', () => {
    expect(handled(none, missed(1), at(1, 0)).history).toEqual([])
    expect(handled(none, missed(1), at(1, -1)).history).toEqual([])
  })

  it('is never longer than 1000 entries', () => {
    const entry = { ...missed(1), completedAt: 1, exitCode: null }
    const long = { ...none, history: Array.from({ length: 1000 }, () => entry) }
    const { history } = handled(long, missed(2), at(2, 5000))
    expect(history).toHaveLength(1000)
    expect(history.at(-1)!.nominal).toBe(2)
  })
})

describe('any sequence of transitions', () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('handled', 'started', 'givenBack', 'completed'),
      gap: fc.integer({ min: -3, max: 10 }),
      which: fc.nat(3),
    }),
    { maxLength: 40 },
  )

  it('never goes back but by giving back, and keeps history and executions within bounds', () => {
    fc.assert(
      fc.property(steps, fc.nat(5), (sequence, historyLength) => {
        let state: JobState = none
        let before: JobState | null = null
        let pid = 1
        for (const { kind, gap, which } of sequence) {
          const nominal = (state.last?.nominal ?? 0) + gap
          const previous: JobState = state
          const running = runningIn(state)
          if (kind === 'givenBack' && before !== null) {
            state = givenBack(state, before)
            before = null
          } else if (kind === 'completed' && running.length > 0) {
            const one = running[which % running.length]!
            state = completed(state, one, which, at(nominal, historyLength))
            expect(runningIn(state)).toEqual(running.filter((other) => other !== one))
          } else if (previous.last !== null && gap <= 0) {
            expect(() => handled(state, missed(nominal), at(nominal))).toThrow(SchedulingError)
          } else if (kind === 'started') {
            before = state
            state = started(state, execution(nominal, pid++))
            expect(runningIn(state)).toHaveLength(running.length + 1)
          } else if (kind === 'handled') {
            state = handled(state, missed(nominal), at(nominal, historyLength))
          }
          if (kind !== 'givenBack' && previous.last !== null) {
            expect(state.last?.nominal).toBeGreaterThanOrEqual(previous.last.nominal)
          }
          expect(state.history.length).toBeLessThanOrEqual(historyLength)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
