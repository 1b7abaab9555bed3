import { describe, expect, it } from 'vitest'
import { scheduleSpans } from './compile-schedule.js'

describe('the parts of a schedule', () => {
  it('are found with their places', () => {
    const text = '  0 3 * * MON @tz(Europe/Paris)  @seed(daily,salt="a) b\\")") @win(after,2h) '
    const { cron, cronFields, modifiers, whole } = scheduleSpans(text)
    const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
    expect(slice(cron)).toBe('0 3 * * MON')
    expect(cronFields.map(slice)).toEqual(['0', '3', '*', '*', 'MON'])
    expect([...modifiers].map(([name, span]) => [name, slice(span)])).toEqual([
      ['tz', '@tz(Europe/Paris)'],
      ['seed', '@seed(daily,salt="a) b\\")")'],
      ['win', '@win(after,2h)'],
    ])
    expect(slice(whole)).toBe(text.trim())
  })

  it('of a macro are one field', () => {
    expect(scheduleSpans('@daily @win(after,2h)').cronFields).toEqual([{ start: 0, end: 6 }])
  })

  it('may all be missing', () => {
    expect(scheduleSpans('').whole).toEqual({ start: 0, end: 0 })
  })
})
