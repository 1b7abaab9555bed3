import { describe, expect, it } from 'vitest'
import { parseExpression } from '../registration/expression.js'
import { namedZone } from '../zone/index.js'
import { Occurrences } from './occurrences.js'
import { TaskGroup } from './scheduled-task.js'

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)
const groupOf = (expression: string) => new TaskGroup(parseExpression(expression), namedZone('UTC'))

const hourly = groupOf('0 * * * *')
const halfHourly = groupOf('0,30 * * * *')

describe('the minutes of expressions', () => {
  it('come in their order, each expression with its latest', () => {
    const occurrences = new Occurrences([hourly, halfHourly], at('09:00:00'))
    expect(occurrences.nextAt).toBe(at('09:30:00'))
    expect([...occurrences.dueAt(at('09:29:59'))]).toEqual([])
    expect([...occurrences.dueAt(at('09:30:00'))]).toEqual([[halfHourly, at('09:30:00')]])
    expect(occurrences.nextAt).toBe(at('10:00:00'))
    const due = [...occurrences.dueAt(at('11:45:00'))]
    expect(due).toHaveLength(2)
    expect(new Map(due)).toEqual(
      new Map([
        [hourly, at('11:00:00')],
        [halfHourly, at('11:30:00')],
      ]),
    )
    expect(occurrences.nextAt).toBe(at('12:00:00'))
  })

  it('come again from the minute on to which the clock was set back', () => {
    const occurrences = new Occurrences([hourly], at('12:00:00'))
    expect(occurrences.nextAt).toBe(at('13:00:00'))
    occurrences.rewind(at('10:00:59'))
    expect(occurrences.nextAt).toBe(at('10:00:00'))
    occurrences.rewind(at('09:01:00'))
    expect(occurrences.nextAt).toBe(at('10:00:00'))
    expect([...occurrences.dueAt(at('10:00:00'))]).toEqual([[hourly, at('10:00:00')]])
  })

  it('are infinitely far where there is no expression', () => {
    const occurrences = new Occurrences([], at('09:00:00'))
    expect(occurrences.nextAt).toBe(Number.POSITIVE_INFINITY)
    expect([...occurrences.dueAt(at('12:00:00'))]).toEqual([])
  })
})
