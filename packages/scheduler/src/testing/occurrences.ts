import { type Cron, parseCron, type Zone } from '@kron/core'
import type { InstantSpan } from './instant-set.js'

/** The Due pulses of one expression: the instants at which a minute that it matches begins. */
export class Occurrences {
  readonly #cron: Cron
  readonly #zone: Zone

  /** Throws when the expression is none. */
  constructor(expression: string, zone: Zone) {
    this.#cron = parseCron(expression, 'posix')
    this.#zone = zone
  }

  /** Searching by spans, not by minutes, is what keeps traces over years cheap. */
  firstWithin(spans: readonly InstantSpan[]): number | null {
    for (const { from, to } of spans) {
      if (from >= to) continue
      const found = this.#cron.next(from, this.#zone)
      if (found !== null && found <= to) return found
    }
    return null
  }

  lastWithin(spans: readonly InstantSpan[]): number | null {
    for (const { from, to } of [...spans].reverse()) {
      if (from >= to) continue
      const found = this.#cron.previous(to, this.#zone)
      if (found !== null && found > from) return found
    }
    return null
  }

  latestUntil(instant: number): number | null {
    return this.#cron.previous(instant, this.#zone)
  }

  /** When the minute that holds `instant` began, if it matches. */
  minuteOf(instant: number): number | null {
    if (!this.#cron.matches(instant, this.#zone)) return null
    return this.#cron.previous(instant, this.#zone)
  }
}
