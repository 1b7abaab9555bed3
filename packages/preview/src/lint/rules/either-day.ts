import { warningAt } from '../finding.js'
import type { Rule } from '../subject.js'

export const eitherDay: Rule = (subject) => {
  const day = subject.fields?.[2]
  const weekday = subject.fields?.[4]
  if (day?.restricted !== true || weekday?.restricted !== true) return []
  const { only } = subject.notation
  const stepNote = [day, weekday].some(({ text }) => text.startsWith('*/'))
    ? ' (a step such as */2 counts as restricted)'
    : ''
  return [
    warningAt(
      subject.cronPlace(2, 4),
      'KRON_WARN_EITHER_DAY',
      `both day ${day.text} and weekday ${weekday.text} are restricted: it runs on days that ` +
        `match either of them, not both${stepNote}`,
      `for both, put * in one of the fields and its days into ${only('dow=...')} or ` +
        only('dom=...'),
    ),
  ]
}
