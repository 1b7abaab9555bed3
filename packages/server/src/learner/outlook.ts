import { ageBinOf, ageFactor } from './ages.js'
import { levelRate } from './level.js'
import { type Memory, meanRate, priorPeriods } from './memory.js'
import { binOf, lineOf, type ProfileLine, profiles } from './profile.js'
import { view } from './views.js'

/** Views that weigh less are left out where looks are spaced. */
const negligible = 0.01

/** The rates that ages may multiply, in the order of `Memory.agesExpected`. */
export const aged = { mean: 0, hour: 1, day: 2 } as const

const [hourShape, dayShape, weekShape] = profiles as readonly [
  (typeof profiles)[number],
  (typeof profiles)[number],
  (typeof profiles)[number],
]

/**
 * What all views expect at an instant. It is made from a memory and holds until something is
 * learned; one of them is enough for a process, since it is used and done with in one call.
 */
export class Outlook {
  #memory!: Memory
  #mean = 0
  #level = 0
  readonly #lines: readonly [ProfileLine, ProfileLine, ProfileLine] = [
    newLine(),
    newLine(),
    newLine(),
  ]
  /** Rates at the instant of the last `at`. */
  hour = 0
  day = 0
  week = 0
  ageBin = 0
  factorMean = 1
  factorHour = 1
  factorDay = 1

  get mean(): number {
    return this.#mean
  }

  read(memory: Memory, baselineMs: number): void {
    this.#memory = memory
    this.#mean = meanRate(memory)
    this.#level = levelRate(memory.level)
    for (let index = 0; index < profiles.length; index++) {
      const line = this.#lines[index]!
      lineOf(profiles[index]!, memory.profiles[index]!, priorPeriods * baselineMs, line)
    }
  }

  /** Whether minutes make a difference: else the hours of the day are enough. */
  get isFine(): boolean {
    const { views } = this.#memory
    return views[view.hour]! + views[view.hourByAge]! >= negligible
  }

  at(instant: number, knowsMinute: boolean): void {
    const { counts, agesSeen, agesExpected, changedAt } = this.#memory
    const [hour, day, week] = this.#lines
    this.hour = knowsMinute
      ? counts[binOf(hourShape, instant)]! * hour.slope + hour.floor
      : this.#mean
    this.day = counts[binOf(dayShape, instant)]! * day.slope + day.floor
    this.week = counts[binOf(weekShape, instant)]! * week.slope + week.floor
    const bin = ageBinOf(instant - changedAt)
    this.ageBin = bin
    this.factorMean = ageFactor(agesSeen, agesExpected[aged.mean]!, bin)
    this.factorHour = ageFactor(agesSeen, agesExpected[aged.hour]!, bin)
    this.factorDay = ageFactor(agesSeen, agesExpected[aged.day]!, bin)
  }

  /** The mean over the views of the root of the rate, at the instant of the last `at`. */
  root(): number {
    const { views } = this.#memory
    let root = 0
    const add = (weight: number, rate: number): void => {
      if (weight >= negligible) root += weight * Math.sqrt(rate)
    }
    add(views[view.mean]!, this.#mean)
    add(views[view.meanByAge]!, this.#mean * this.factorMean)
    add(views[view.level]!, this.#level)
    add(views[view.hour]!, this.hour)
    add(views[view.hourByAge]!, this.hour * this.factorHour)
    add(views[view.day]!, this.day)
    add(views[view.dayByAge]!, this.day * this.factorDay)
    add(views[view.week]!, this.week)
    return root
  }
}

const newLine = (): ProfileLine => ({ slope: 0, floor: 0 })
