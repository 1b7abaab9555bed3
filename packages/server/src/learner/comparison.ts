import type { Look } from './learner.js'
import type { Memory } from './memory.js'

const dayMs = 86_400_000
/** After this time what was counted counts 1/e of what is new. */
const fadeMs = 28 * dayMs
/** Looks of the other schedule that are followed one by one between two runs. */
const maxSteps = 16
const minGapMs = 1_000

/**
 * Follows the schedule that is not in force beside the one that is: what the baseline would have
 * done where planners act, and what the learner would have done where they only suggest. Counts the
 * calls of both, and how late each saw what changed.
 */
export function compare(
  memory: Memory,
  look: Look,
  isFollowed: boolean,
  gapAfter: (from: number) => number,
): void {
  if (memory.followed !== Number(isFollowed)) beginAgain(memory, look.at, isFollowed)
  fade(memory, look.at)
  memory.calls++
  const changedAt = look.changed ? Math.min(memory.changedAt, look.at) : null
  const seenAt = walk(memory, look.at, changedAt, gapAfter)
  // A target that is down, or wants rest, is looked at in gaps that begin with each answer.
  if (!isFollowed && look.kind !== 'ok') memory.otherAt = Math.max(memory.otherAt, look.at + 1)
  if (changedAt === null) return
  memory.seen++
  memory.delayMs += look.at - changedAt
  memory.otherDelayMs += seenAt - changedAt
}

/** What was counted of two schedules says nothing once they have changed places. */
function beginAgain(memory: Memory, at: number, isFollowed: boolean): void {
  if (memory.followed >= 0) {
    memory.comparedAt = at
    memory.comparedMs = 0
    memory.calls = 0
    memory.otherCalls = 0
    memory.seen = 0
    memory.delayMs = 0
    memory.otherDelayMs = 0
    memory.otherAt = at + memory.gapMs
  }
  memory.followed = Number(isFollowed)
}

function fade(memory: Memory, at: number): void {
  const passedMs = Math.max(0, at - memory.comparedAt)
  const growth = 1 + passedMs / fadeMs
  memory.comparedAt = Math.max(memory.comparedAt, at)
  memory.comparedMs = memory.comparedMs / growth + passedMs
  memory.calls /= growth
  memory.otherCalls /= growth
  memory.seen /= growth
  memory.delayMs /= growth
  memory.otherDelayMs /= growth
}

/** Takes the other schedule past `end`. Answers which of its looks sees the change. */
function walk(
  memory: Memory,
  end: number,
  changedAt: number | null,
  gapAfter: (from: number) => number,
): number {
  let seenAt = -1
  for (let step = 0; memory.otherAt <= end; step++) {
    const from = memory.otherAt
    const gapMs = Math.max(minGapMs, gapAfter(from))
    const looks = step < maxSteps ? 1 : Math.ceil((end + 1 - from) / gapMs)
    if (changedAt !== null && seenAt < 0 && from + (looks - 1) * gapMs >= changedAt) {
      seenAt = from + Math.max(0, Math.ceil((changedAt - from) / gapMs)) * gapMs
    }
    memory.otherCalls += looks
    memory.otherAt = from + looks * gapMs
  }
  return seenAt < 0 ? Math.max(memory.otherAt, changedAt ?? 0) : seenAt
}
