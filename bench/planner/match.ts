import { planNextRun } from '@kron/core'
import type { Calendar } from './calendar.ts'
import { newTally, type Tally } from './figures.ts'
import type { Look, Player } from './policies/policy.ts'
import {
  type Answer,
  countedFromMs,
  dayMs,
  isLimited,
  isSuccess,
  type Target,
  type World,
} from './world.ts'
import type { Span } from './worlds/chance.ts'

/** Far longer than any gap: hints are given after each run. */
const hintMs = 366 * dayMs

/** A policy against one world. The next run is planned by the Governor, as in the server. */
export class Match {
  readonly tally: Tally = newTally()
  readonly #world: World
  readonly #target: Target
  readonly #calendar: Calendar | null
  readonly #player: Player
  readonly #outages: readonly Span[]
  readonly #end: number
  /** When the next run is, or past the end. */
  at: number
  #outage = 0
  #change = 0
  #staleFrom: number | null = null
  #sign: string | undefined
  #month = -1
  #callsOfMonth = 0
  readonly #failures: number[] = []
  readonly #successes: number[] = []

  constructor(
    world: World,
    target: Target,
    calendar: Calendar | null,
    player: Player,
    outages: readonly Span[],
  ) {
    this.#world = world
    this.#target = target
    this.#calendar = calendar
    this.#player = player
    this.#outages = outages
    this.#end = world.days * dayMs
    this.at = this.#withinQuota(this.#planned(0, null, 0))
  }

  get isOver(): boolean {
    return this.at >= this.#end
  }

  /** One run, and the plan of the next one. */
  step(): void {
    const { at } = this
    const answer = this.#target.respond(at)
    const look = this.#look(at, answer)
    const isCounted = at >= countedFromMs
    if (isCounted) this.#count(answer)
    const ended = at + Math.max(1, answer.durationMs)
    const planned = this.#withinQuota(this.#planned(at, this.#player.next(look), ended))
    if (isCounted && this.#violates(at, planned)) this.tally.violations++
    this.at = planned
  }

  /** To be called once, when the match is over. */
  close(): Tally {
    this.tally.countedMs = this.#end - countedFromMs
    if (this.#staleFrom !== null) this.tally.staleMs += this.#end - this.#staleFrom
    for (const outage of this.#outages) this.#judge(outage)
    return this.tally
  }

  #look(at: number, answer: Answer): Look {
    const retryAfterMs = answer.retryAfterMs ?? null
    if (!isSuccess(answer)) {
      const kind = isLimited(answer) ? 'limited' : 'down'
      if (kind === 'down') this.#failures.push(at)
      return { at, kind, changed: false, retryAfterMs }
    }
    this.#successes.push(at)
    const seen = this.#see(at)
    if (!seen && at >= countedFromMs) this.tally.wasted++
    const sign = answer.etag ?? answer.body
    const changed = sign === undefined ? seen : this.#sign !== undefined && sign !== this.#sign
    this.#sign = sign
    return { at, kind: 'ok', changed, retryAfterMs }
  }

  /** Counts the delays of what changed since the last successful look; whether anything did. */
  #see(at: number): boolean {
    const { changes } = this.#target
    const before = this.#change
    while (this.#change < changes.length && changes[this.#change]! <= at) {
      const changedAt = changes[this.#change++]!
      if (changedAt < countedFromMs) continue
      this.#staleFrom ??= changedAt
      if (!this.#wasDown(changedAt)) this.tally.delays.push(at - changedAt)
    }
    if (this.#staleFrom !== null) this.tally.staleMs += at - this.#staleFrom
    this.#staleFrom = null
    return this.#change > before
  }

  #wasDown(at: number): boolean {
    const all = this.#outages
    while (this.#outage < all.length && all[this.#outage]![1] <= at) this.#outage++
    return this.#outage < all.length && all[this.#outage]![0] <= at
  }

  #count(answer: Answer): void {
    this.tally.calls++
    if (isSuccess(answer)) return
    if (isLimited(answer)) this.tally.tooMany++
    else this.tally.callsWhileDown++
  }

  #planned(lastRunAt: number, wanted: number | null, now: number): number {
    const { baselineMs, minIntervalMs, maxIntervalMs, name } = this.#world
    const calendar = this.#calendar
    const isInterval = calendar === null && wanted !== null
    const { nextRunAt } = planNextRun(
      {
        baselineCron: calendar?.job ?? null,
        baselineIntervalMs: calendar === null ? baselineMs : null,
        minIntervalMs,
        maxIntervalMs,
        identity: name,
        aiHintIntervalMs: isInterval ? wanted - lastRunAt : null,
        aiHintIntervalExpiresAt: isInterval ? now + hintMs : null,
        aiHintNextRunAt: isInterval ? null : wanted,
        aiHintNextRunExpiresAt: isInterval ? null : now + hintMs,
        lastRunAt,
        createdAt: 0,
      },
      now,
    )
    return nextRunAt ?? Number.POSITIVE_INFINITY
  }

  /** As in the server: what the quota of a month does not allow waits for the next month. */
  #withinQuota(at: number): number {
    const { quota } = this.#world
    if (quota === undefined || at === Number.POSITIVE_INFINITY) return at
    const month = monthOf(at)
    if (month !== this.#month) this.#callsOfMonth = 0
    this.#month = month
    if (this.#callsOfMonth < quota) {
      this.#callsOfMonth++
      return at
    }
    this.#month = month + 1
    this.#callsOfMonth = 1
    return Date.UTC(1970, month + 1)
  }

  /** The end of a month's quota is neither too early nor too late. */
  #violates(at: number, planned: number): boolean {
    if (planned >= this.#end || monthOf(planned) !== monthOf(at)) return false
    const { minIntervalMs, maxIntervalMs } = this.#world
    const gapMs = planned - at
    if (gapMs < minIntervalMs || gapMs > maxIntervalMs) return true
    const isClamped = gapMs === minIntervalMs || gapMs === maxIntervalMs
    return this.#calendar !== null && !isClamped && !this.#calendar.has(planned)
  }

  #judge([from, to]: Span): void {
    if (from < countedFromMs || to >= this.#end) return
    const noticed = this.#failures.find((at) => at >= from)
    if (noticed === undefined || noticed >= to) return
    this.tally.detections.push(noticed - from)
    const found = this.#successes.find((at) => at >= to)
    if (found !== undefined) this.tally.recoveries.push(found - to)
  }
}

function monthOf(at: number): number {
  const date = new Date(at)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}
