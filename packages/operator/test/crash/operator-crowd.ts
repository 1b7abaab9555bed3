import type { Random } from '../../../../simulation/random.js'
import type { Pace } from '../cluster/fast-clock.js'
import type { OperatorProcess } from '../cluster/operator-process.js'
import type { Site } from '../cluster/site.js'
import { acts, type Death, sides } from './death.js'

const mostPassages = 6
/** One that does not come to its moment of death is killed from outside. */
const longestLifeMs = 5000

/** Controllers that all act at once, each killed again and again and replaced at once. */
export class OperatorCrowd {
  kills = 0
  /** What ended without having been killed: there must be none. */
  readonly unexpected: string[] = []
  /** Of all lives, what has passed: `act side`. */
  readonly deaths = new Map<string, number>()
  readonly #site: Site
  readonly #pace: Pace
  readonly #random: Random
  readonly #living = new Set<OperatorProcess>()
  readonly #slots: Promise<void>[] = []
  #isMortal = true
  #isOver = false

  constructor(site: Site, pace: Pace, random: Random) {
    this.#site = site
    this.#pace = pace
    this.#random = random
  }

  /** Resolves when all of them are ready, for the first time. */
  async start(count: number): Promise<void> {
    const first = Array.from({ length: count }, () => this.#begin(null))
    await Promise.all(first.map((one) => one.logged('ready')))
    for (const one of first) this.#slots.push(this.#keep(one, this.#random.fork()))
  }

  /** Those that live now may go on for as long as they like. */
  spare(): void {
    this.#isMortal = false
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const one of this.#living) one.signal('SIGTERM')
    await Promise.all(this.#slots)
  }

  #begin(death: Death | null): OperatorProcess {
    const options = death === null ? this.#pace : { ...this.#pace, death }
    const started = this.#site.startFast(options, '--no-leader-election')
    this.#living.add(started)
    return started
  }

  /** The first life is without end, so that all begin together. */
  async #keep(first: OperatorProcess, random: Random): Promise<void> {
    let life = first
    while (true) {
      const timer = setTimeout(() => this.#isMortal && life.signal('SIGKILL'), longestLifeMs)
      const how = await life.ended
      clearTimeout(timer)
      this.#living.delete(life)
      if (how === 'SIGKILL') this.kills++
      else if (!this.#isOver) this.unexpected.push(`${how}: ${life.complaints}`)
      if (this.#isOver) return
      life = this.#begin(this.#isMortal ? this.#chooseDeath(random) : null)
    }
  }

  #chooseDeath(random: Random): Death {
    const act = random.pick(acts)
    const side = random.pick(sides)
    const name = `${act} ${side}`
    this.deaths.set(name, (this.deaths.get(name) ?? 0) + 1)
    return { act, side, passage: random.between(1, mostPassages) }
  }
}
