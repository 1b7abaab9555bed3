import { type Zone, zone } from '@kron/core'

const minute = 60_000
const quarter = 15 * minute

/**
 * A second reading of robfig/cron, which CronJobs use, written after its rules and not after our
 * code: fields are sets of numbers with a mark for `*`, and all minutes are looked at in order.
 */
export class GoCronOracle {
  readonly #fields: readonly Field[]
  readonly #zone: Zone

  constructor(schedule: string, timezone: string) {
    const texts = (macros[schedule] ?? schedule).split(/\s+/)
    this.#fields = texts.map((text, index) => fieldOf(text, bounds[index]!))
    this.#zone = zone(timezone)
  }

  /** The first time after `after`, in epoch milliseconds. */
  next(after: number): number | null {
    const [minutes, hours] = this.#fields as [Field, Field]
    const last = after + 9 * 366 * 86_400_000
    let at = after
    let step = minute
    while (at <= last) {
      at = (Math.floor(at / step) + 1) * step
      const wall = new Date(at + this.#zone.offsetAt(at / 1000) * 1000)
      const isHour = hours.values.has(wall.getUTCHours()) && this.#isDay(wall)
      if (isHour && minutes.values.has(wall.getUTCMinutes())) return at
      // No zone of today changes its hour or its day but at a quarter of an hour.
      step = isHour ? minute : quarter
    }
    return null
  }

  #isDay(wall: Date): boolean {
    const [, , days, months, weekdays] = this.#fields as [Field, Field, Field, Field, Field]
    if (!months.values.has(wall.getUTCMonth() + 1)) return false
    const isDay = days.values.has(wall.getUTCDate())
    const isWeekday = weekdays.values.has(wall.getUTCDay())
    return days.isStar || weekdays.isStar ? isDay && isWeekday : isDay || isWeekday
  }
}

interface Field {
  readonly values: ReadonlySet<number>
  readonly isStar: boolean
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const bounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { min: 0, max: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

function fieldOf(text: string, { min, max, names }: Bounds): Field {
  const values = new Set<number>()
  let isStar = false
  const number = (word: string): number => {
    const named = names.indexOf(word.toLowerCase())
    return named < 0 ? Number.parseInt(word, 10) : named + min
  }
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [range, step] = part.split('/') as [string, string?]
    const [low, high] = range.split('-') as [string, string?]
    const by = step === undefined ? 1 : Number.parseInt(step, 10)
    const all = low === '*' || low === '?'
    if (all && by === 1) isStar = true
    const from = all ? min : number(low)
    const to = all || (high === undefined && step !== undefined) ? max : number(high ?? low)
    for (let value = from; value <= to; value += by) values.add(value)
  }
  return { values, isStar }
}
