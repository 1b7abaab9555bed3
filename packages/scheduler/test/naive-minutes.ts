/**
 * The minutes of a stretch that an expression matches, the slow way: every minute is looked at, and
 * its wall clock is what the language's own calendar says. Shares nothing with the engine.
 */
export function naiveMinutes(
  expression: string,
  timeZone: string,
  from: number,
  to: number,
): number[] {
  const [minutes, hours, days, months, weekdays] = expression.split(' ').map(numbersOf)
  const wall = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    minute: 'numeric',
    hour: 'numeric',
    day: 'numeric',
    month: 'numeric',
    weekday: 'short',
  })
  const found: number[] = []
  for (let at = Math.ceil(from / 60_000) * 60_000; at <= to; at += 60_000) {
    const shown = new Map(wall.formatToParts(at).map(({ type, value }) => [type, value]))
    const has = (numbers: Set<number> | null | undefined, value: number) =>
      numbers == null || numbers.has(value)
    const day = has(days, Number(shown.get('day')))
    const weekday = has(weekdays, weekdayNames.indexOf(shown.get('weekday')!))
    const onDay = days != null && weekdays != null ? day || weekday : day && weekday
    if (
      onDay &&
      has(minutes, Number(shown.get('minute'))) &&
      has(hours, Number(shown.get('hour'))) &&
      has(months, Number(shown.get('month')))
    ) {
      found.push(at)
    }
  }
  return found
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Null for a star. */
function numbersOf(field: string): Set<number> | null {
  if (field === '*') return null
  const numbers = field.split(',').flatMap((element) => {
    const [low, high = low] = element.split('-').map(Number) as [number, number?]
    return Array.from({ length: high - low + 1 }, (_, index) => low + index)
  })
  return new Set(numbers)
}
