import { type Field, numberOfName } from './field.js'
import type { MonthDays } from './month-days.js'

/** Gathers the Quartz tokens of a day or weekday field. */
export class QuartzDays {
  #lastDay = false
  #lastWorkday = false
  #nearestWorkdays = 0
  #lastWeekdays = 0
  readonly #nth: { weekday: number; nth: number }[] = []

  /** Takes a token, or answers why it is not one of the field. */
  add(token: string, field: Field): string | null {
    return field.name === 'day' ? this.#addDay(token) : this.#addWeekday(token, field)
  }

  monthDays(): MonthDays {
    return {
      lastDay: this.#lastDay,
      lastWorkday: this.#lastWorkday,
      nearestWorkdays: this.#nearestWorkdays,
      nth: this.#nth,
      lastWeekdays: this.#lastWeekdays,
    }
  }

  #addDay(token: string): string | null {
    if (/^L$/i.test(token)) this.#lastDay = true
    else if (/^LW$/i.test(token)) this.#lastWorkday = true
    else {
      const day = /^(\d{1,2})W$/i.exec(token)
      const number = Number(day?.[1] ?? 0)
      if (number < 1 || number > 31) return `contains "${token}" (allowed are L, LW and 1W to 31W)`
      this.#nearestWorkdays |= 1 << number
    }
    return null
  }

  #addWeekday(token: string, field: Field): string | null {
    const expected = `contains "${token}" (write 5L, FRIL, 2#1 or MON#1, for example)`
    const match = /^(\d|[A-Z]{3})(?:(L)|#(\d))$/i.exec(token)
    if (match === null) return expected
    const written = match[1]!
    const number = written.length === 1 ? Number(written) : numberOfName(field, written)
    if (number < 0 || number > 7) return expected
    const weekday = number % 7
    if (match[2] !== undefined) this.#lastWeekdays |= 1 << weekday
    else {
      const nth = Number(match[3])
      if (nth < 1 || nth > 5) return `contains "${token}" (# takes 1 to 5)`
      this.#nth.push({ weekday, nth })
    }
    return null
  }
}
