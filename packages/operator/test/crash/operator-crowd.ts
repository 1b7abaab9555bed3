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
  /** At which moments some have killed themselves: `before create jobs`. */
  readonly moments = new Set<string>()
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

  /** The first has no moment to die at, so that all begin together. */
  async #keep(first: OperatorProcess, random: Random): Promise<void> {
    let life = first
    let death: Death | null = null
    while (true) {
      if (await this.#watchOver(life)) this.#note(death)
      if (this.#isOver) return
      death = this.#isMortal ? chooseDeath(random) : null
      life = this.#begin(death)
    }
  }

  /** Whether it has killed itself. */
  async #watchOver(life: OperatorProcess): Promise<boolean> {
    let isKilled = false
    const timer = setTimeout(() => {
      if (!this.#isMortal) return
      isKilled = true
      life.signal('SIGKILL')
    }, longestLifeMs)
    const how = await life.ended
    clearTimeout(timer)
    this.#living.delete(life)
    if (how === 'SIGKILL') this.kills++
    else if (!this.#isOver) this.unexpected.push(`${how}: ${life.complaints}`)
    return how === 'SIGKILL' && !isKilled
  }

  #note(death: Death | null): void {
    if (death === null) this.unexpected.push('killed by a stranger')
    else this.moments.add(`${death.side} ${death.act}`)
  }
}

function chooseDeath(random: Random): Death {
  return {
    act: random.pick(acts),
    side: random.pick(sides),
    passage: random.between(1, mostPassages),
  }
}
