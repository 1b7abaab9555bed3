import type { CronField, Element } from '../../cron-text/index.js'
import { type Finding, type Place, warningAt } from '../finding.js'
import type { Rule } from '../subject.js'

/** What a field starts over with. */
const cycles: Readonly<Record<CronField['name'], string>> = {
  minute: 'hour',
  hour: 'day',
  day: 'month',
  month: 'year',
  weekday: 'week',
}

export const steps: Rule = (subject) =>
  (subject.fields ?? []).flatMap(({ field, elements }, index) =>
    elements.flatMap((element) => {
      if (element.step === 1) return []
      const place = subject.cronPlace(index)
      if (element.step > element.to - element.from) return [tooLarge(place, field, element)]
      return element.star ? uneven(place, field, element) : []
    }),
  )

function tooLarge(place: Place, field: CronField, { text, from }: Element): Finding {
  const cycle = cycles[field.name]
  return warningAt(
    place,
    'KRON_WARN_STEP_TOO_LARGE',
    `${text} in the ${field.name} field matches only ${field.name} ${from}: once ` +
      `${cycle === 'hour' ? 'an' : 'a'} ${cycle}`,
    `write ${from} if that is meant; a step never carries over into the next ${cycle}`,
  )
}

function uneven(place: Place, field: CronField, { text, from, to, step }: Element): Finding[] {
  const last = to - ((to - from) % step)
  const gap = to + 1 - last
  if (gap === step) return []
  const unit = field.name === 'weekday' ? 'day' : field.name
  const units = gap === 1 ? unit : `${unit}s`
  return [
    warningAt(
      place,
      'KRON_WARN_STEP_UNEVEN',
      `${text} in the ${field.name} field starts over each ${cycles[field.name]}: from ` +
        `${field.name} ${last} to the next ${from} it is ${gap} ${units}, not ${step}`,
      field.name === 'day'
        ? 'list the days if the gap matters'
        : `use a step that divides ${to + 1 - from}, or list the values`,
    ),
  ]
}

export const noEffect: Rule = (subject) => {
  if (subject.job.spec.window.duration > 0) return []
  const { parts, window } = subject.notation
  return (['distribution', 'seed'] as const).flatMap((part) => {
    const place = subject.partPlace(part)
    if (place === null) return []
    return [
      warningAt(
        place,
        'KRON_WARN_NO_EFFECT',
        `${parts[part]} has no effect: without a window the job runs at the second of its schedule`,
        `add a window such as ${window('1h')}`,
      ),
    ]
  })
}
