import { monthNames, valuesOf } from '../../cron-text/index.js'
import { wallDate, wallTime } from '../../local-time/index.js'
import { warningAt } from '../finding.js'
import type { Rule } from '../subject.js'

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export const rareDay: Rule = (subject, now) => {
  const [, , day, month, weekday] = subject.fields ?? []
  if (day === undefined || month === undefined || weekday?.restricted !== false) return []
  const earliest = valuesOf(day)[0]!
  if (earliest <= 28) return []
  const months = valuesOf(month)
  const without = months.filter((value) => daysInMonth[value - 1]! < earliest)
  const onlyInLeapYears = earliest === 29 && months.includes(2)
  if (without.length === 0 && !onlyInLeapYears) return []
  const missing = without.map((value) => monthNames[value - 1]!)
  if (onlyInLeapYears) missing.push('February in most years')
  const { job } = subject
  const next = job.nextPeriod(now)
  const when = next === null ? '' : `, next ${wallDate(wallTime(next, job.zone))}`
  return [
    warningAt(
      subject.cronPlace(2),
      'KRON_WARN_RARE_DAY',
      `day ${day.text} does not exist in ${missing.join(', ')}: it does not run there${when}`,
      'use a day from 1 to 28 if it should run in every month',
    ),
  ]
}
