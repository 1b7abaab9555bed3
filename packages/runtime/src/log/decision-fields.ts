import { type Decision, formatInstant, type Job, scheduleText, tzdataVersion } from '@kron/core'

/** All that reproduces a decision, as every host logs it; `schedule` is the whole schedule text. */
export function decisionFields(job: Job, decision: Decision) {
  const { chosenTime, reason } = decision
  return {
    schedule: scheduleText(job),
    dialect: job.spec.dialect,
    nominal_time: formatInstant(decision.nominalTime),
    window_start: formatInstant(decision.windowStart),
    window_end: formatInstant(decision.windowEnd),
    chosen_time: chosenTime === null ? null : formatInstant(chosenTime),
    timezone: decision.timezone,
    tzdata: tzdataVersion,
    distribution: decision.distribution,
    seed_strategy: decision.seed.strategy,
    salt: decision.seed.salt,
    seed_hash: decision.seedHash,
    attempts: decision.attempts,
    constraints_applied: decision.constraintsApplied,
    ...(reason !== undefined && { reason }),
  }
}
