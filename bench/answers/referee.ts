/**
 * Who is right when two answers differ. It reads the wall clock from the runtime's own `Intl` and
 * the expression with the few lines below, and shares no code with any contender.
 */
export type Judgement = 'ours' | 'theirs' | 'neither'

export function judge(
  expression: string,
  zone: string,
  ours: number,
  theirs: number,
  after: number,
): Judgement {
  const fields = readFields(expression)
  const oursHolds = ours > after && matches(fields, zone, ours)
  const theirsHolds = theirs > after && matches(fields, zone, theirs)
  // Both are real matches: the later one has missed the earlier one.
  if (oursHolds && theirsHolds) return ours < theirs ? 'ours' : 'theirs'
  if (oursHolds) return 'ours'
  return theirsHolds ? 'theirs' : 'neither'
}

interface Fields {
  readonly minutes: Set<number>
  readonly hours: Set<number>
  readonly days: Set<number>
  readonly months: Set<number>
  readonly weekdays: Set<number>
  readonly eitherDay: boolean
}

const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function readFields(expression: string): Fields {
  const [minutes, hours, days, months, weekdays] = expression.split(' ') as [
    string,
    string,
    string,
    string,
    string,
  ]
  const numeric = weekdays.replace(/[A-Z]+/g, (name) => String(weekdayNames.indexOf(name)))
  return {
    minutes: valuesOf(minutes, 0, 59),
    hours: valuesOf(hours, 0, 23),
    days: valuesOf(days, 1, 31),
    months: valuesOf(months, 1, 12),
    weekdays: valuesOf(numeric, 0, 6),
    eitherDay: days !== '*' && weekdays !== '*',
  }
}

function valuesOf(field: string, lowest: number, highest: number): Set<number> {
  const values = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [from, to] = range === '*' ? [lowest, highest] : range.split('-').map(Number)
    for (let value = from!; value <= (to ?? from!); value += Number(step)) values.add(value)
  }
  return values
}

function matches(fields: Fields, zone: string, at: number): boolean {
  if (at % 60_000 !== 0) return false
  const wall = wallClock(zone, at)
  const day = fields.days.has(wall.getUTCDate())
  const weekday = fields.weekdays.has(wall.getUTCDay())
  return (
    fields.minutes.has(wall.getUTCMinutes()) &&
    fields.hours.has(wall.getUTCHours()) &&
    fields.months.has(wall.getUTCMonth() + 1) &&
    (fields.eitherDay ? day || weekday : day && weekday)
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall clock's reading, as if it were UTC. */
function wallClock(zone: string, at: number): Date {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    formats.set(zone, format)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(at)) part[type] = Number(value)
  return new Date(
    Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute']),
  )
}
