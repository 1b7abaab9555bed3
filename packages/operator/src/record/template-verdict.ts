import { type Backoff, backoffMs } from '@kron/runtime'
import type { KronJob } from '../kronjob/index.js'
import { inheritedFlaw, type Trouble, templateInvalid } from './trouble.js'

/** So long the first status of a generation waits for the verdict, to include it. */
const awaitedMs = 5000
const backoff: Backoff = { firstMs: 5000, maxMs: 3_600_000 }

/**
 * What the API server says about the Job of the present generation. It is asked once; the status
 * keeps for which generation that was, so that the next leader need not ask again. Dying before
 * the status is written has the next leader ask once more, which does no harm.
 *
 *   unknown ──asked──▶ known, with or without a flaw ──edited──▶ unknown
 *      └──── no verdict: a quota, a webhook that fails, no answer ──later──▶ asked
 */
export class TemplateVerdict {
  #isKnown: boolean
  #flaw: Trouble | null
  #warning: string | null
  #seenAt: number
  #failures = 0
  #askAt = Number.NEGATIVE_INFINITY

  constructor(kronJob: KronJob, seenAt: number) {
    this.#seenAt = seenAt
    this.#isKnown = kronJob.status?.checkedGeneration === kronJob.metadata.generation
    this.#flaw = this.#isKnown ? inheritedFlaw(kronJob) : null
    this.#warning = this.#isKnown ? inheritedWarning(kronJob) : null
  }

  get isKnown(): boolean {
    return this.#isKnown
  }

  get flaw(): Trouble | null {
    return this.#flaw
  }

  /** What the API server warns about, although it accepts the Job. */
  get warning(): string | null {
    return this.#warning
  }

  /** When the API server is to be asked; null if it has answered. */
  get askAt(): number | null {
    return this.#isKnown ? null : this.#askAt
  }

  /** Until when to wait for the first answer before a status is written; null if not any more. */
  awaitedUntil(now: number): number | null {
    const until = this.#seenAt + awaitedMs
    return this.#isKnown || this.#failures > 0 || now >= until ? null : until
  }

  settle(flaw: Trouble | null, warning: string | null = null): void {
    this.#isKnown = true
    this.#flaw = flaw
    this.#warning = warning
  }

  /** Answers whether it is the first time for this generation. */
  putOff(now: number): boolean {
    this.#askAt = now + backoffMs(backoff, ++this.#failures)
    return this.#failures === 1
  }

  /** A Job was created after all: whatever stood in the way is gone. Unknown fields are not. */
  prove(): void {
    if (this.#flaw?.reason === templateInvalid) this.#flaw = null
  }

  /** Of another generation. */
  renew(seenAt: number): void {
    this.#isKnown = false
    this.#flaw = null
    this.#warning = null
    this.#seenAt = seenAt
    this.#failures = 0
    this.#askAt = Number.NEGATIVE_INFINITY
  }
}

/** Enough for people; the Pod security standard alone can fill a page. */
const maxCharacters = 900
/** The reason of condition InvalidSpec, which is False then. */
export const validWithWarnings = 'ValidWithWarnings'

/** All warnings of the API server as one text; null if there are none. */
export function warningText(warnings: readonly string[]): string | null {
  return warnings.length === 0
    ? null
    : `jobTemplate: ${warnings.join('; ')}`.slice(0, maxCharacters)
}

/** The warning that the leader before us has put into the status. */
export function inheritedWarning({ status }: KronJob): string | null {
  const condition = status?.conditions?.find(({ reason }) => reason === validWithWarnings)
  return condition?.message ?? null
}
