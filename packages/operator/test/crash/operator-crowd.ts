import type { Random } from '../../../../simulation/random.js'
import { type Pace, realTime } from '../cluster/fast-clock.js'
import type { OperatorProcess } from '../cluster/operator-process.js'
import type { Site } from '../cluster/site.js'
import { acts, type Death, sides } from './death.js'
import type { Stretch } from './judgement.js'

const maxPassages = 6
/** One that does not come to its moment of death is killed from outside. */
const longestLifeMs = 9000
/** Every other one lives for some time, lest nobody ever comes to do anything. */
const minLifeMs = 4000

/** Controllers that all act at once, each killed again and again and replaced at once. */
export class OperatorCrowd {
  kills = 0
  /** Controllers that ended without having been killed, or did not know what to do. */
  readonly unexpected: string[] = []
  /** When each of them had read everything, and until when it lived. */
  readonly lives: Stretch[] = []
  /** At which moments some have killed themselves: `before create jobs`. */
  readonly moments = new Set<string>()
  readonly #site: Site
  readonly #pace: Pace
  readonly #slower: number
  readonly #random: Random
  readonly #living = new Set<OperatorProcess>()
  readonly #slots: Promise<void>[] = []
  #deaths = 0
  #isMortal = true
  #isOver = false

  /** `slower`: how many times longer than usual everything takes, and so do their lives. */
  constructor(site: Site, pace: Pace, slower: number, random: Random) {
    this.#site = site
    this.#pace = pace
    this.#slower = slower
    this.#random = random
  }

  /** Resolves when all of them are ready, for the first time. */
  async start(count: number): Promise<void> {
    const first = Array.from({ length: count }, () => this.#begin(null))
    await Promise.all(first.map((one) => one.logged('ready')))
    for (const [index, one] of first.entries()) {
      const notBeforeMs = index % 2 === 0 ? 0 : minLifeMs * this.#slower
      this.#slots.push(this.#keep(one, notBeforeMs, this.#random.fork()))
    }
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
  async #keep(first: OperatorProcess, notBeforeMs: number, random: Random): Promise<void> {
    let life = first
    let death: Death | null = null
    while (true) {
      if (await this.#watchOver(life)) this.#note(death)
      if (this.#isOver) return
      death = this.#isMortal ? this.#nextDeath(notBeforeMs, random) : null
      life = this.#begin(death)
    }
  }

  /** All kinds of moments in turn. */
  #nextDeath(notBeforeMs: number, random: Random): Death {
    const turn = this.#deaths++
    const act = acts[turn % acts.length]!
    const side = sides[Math.floor(turn / acts.length) % sides.length]!
    return { act, side, passage: random.between(1, maxPassages), notBeforeMs }
  }

  /** Whether it has killed itself. */
  async #watchOver(life: OperatorProcess): Promise<boolean> {
    let isKilled = false
    const timer = setTimeout(() => {
      if (!this.#isMortal) return
      isKilled = true
      life.signal('SIGKILL')
    }, longestLifeMs * this.#slower)
    const how = await life.ended
    clearTimeout(timer)
    this.#living.delete(life)
    const [ready] = life.lines('ready')
    if (ready !== undefined) {
      this.lives.push({ from: realTime(this.#pace, Date.parse(ready.time)), to: Date.now() })
    }
    this.unexpected.push(...flawsOf(life))
    if (how === 'SIGKILL') this.kills++
    else if (!this.#isOver) this.unexpected.push(`${how}: ${life.complaints}`)
    return how === 'SIGKILL' && !isKilled
  }

  #note(death: Death | null): void {
    if (death === null) this.unexpected.push('killed by a stranger')
    else this.moments.add(`${death.side} ${death.act}`)
  }
}

/** Failures that no API server is to blame for. */
function flawsOf({ log, complaints }: OperatorProcess): string[] {
  const flaws = log.filter(({ operation }) => operation === 'reconcile' || operation === 'decide')
  return [...flaws.map((line) => JSON.stringify(line)), ...(complaints === '' ? [] : [complaints])]
}
