import { formatDuration } from '@kron/core'
import { instantText, maxTtlMinutes, type Plan, type PlannerAction } from '../domain/index.js'
import {
  accountOf,
  accountSentence,
  isTelling,
  type Memory,
  type WantedRun,
} from '../learner/index.js'
import type { Pupil } from './pupil.js'

/** What happened that people should find later: most runs change nothing worth a word. */
export type Occasion = 'down' | 'back' | 'limited' | 'learned'

/** A session of the learner, as far as it is decided here. */
export interface LearnedNote {
  readonly why: Occasion
  readonly said: string
  readonly action: PlannerAction | null
  /** The plan without the action and with it. */
  readonly before: Pick<Plan, 'nextRunAt' | 'source'>
  readonly after: Pick<Plan, 'nextRunAt' | 'source'>
}

/** How a memory was before it learned from a run. */
export interface Condition {
  readonly isDown: boolean
  readonly isLimited: boolean
}

/** One failure may be anything: an outage is one that was confirmed. */
export const conditionOf = ({ outageLooks, outageAt, floorMs }: Memory): Condition => ({
  isDown: outageAt >= 0 && outageLooks >= 2,
  isLimited: floorMs > 0,
})

const dayMs = 86_400_000
const minChanges = 5

export function occasionOf(before: Condition, memory: Memory, at: number): Occasion | null {
  const after = conditionOf(memory)
  if (after.isDown !== before.isDown) return after.isDown ? 'down' : 'back'
  if (after.isLimited && !before.isLimited) return 'limited'
  const hasLearned = memory.changes >= minChanges && isTelling(memory)
  return hasLearned && at - memory.notedAt >= dayMs ? 'learned' : null
}

export function sentenceOf(
  why: Occasion,
  memory: Memory,
  { band }: Pupil,
  isFollowed: boolean,
): string {
  const gap = formatDuration(Math.round(memory.floorMs / 1000) * 1000)
  switch (why) {
    case 'down':
      return `It has been down since ${instantText(memory.outageAt)} or earlier. The learner looks at it until it is back.`
    case 'back':
      return 'It works again.'
    case 'limited':
      return `It limits how often it may be called. For now the learner keeps a gap of at least ${gap}.`
    case 'learned':
      return accountSentence(accountOf(memory, band.baselineMs), isFollowed)
  }
}

/** What the learner wants, as the action that another planner would propose. */
export function actionOf(
  wanted: WantedRun,
  expiresAt: number,
  reason: string,
  now: number,
): PlannerAction | null {
  if (wanted === null) return null
  const ttlMinutes = Math.min(Math.max(1, Math.ceil((expiresAt - now) / 60_000)), maxTtlMinutes)
  return wanted.kind === 'interval'
    ? { kind: 'proposeInterval', intervalMs: wanted.intervalMs, ttlMinutes, reason }
    : { kind: 'proposeNextTime', nextRunAt: wanted.at, ttlMinutes, reason }
}
