import type { Rule } from '../subject.js'
import { clockChange } from './clock-change.js'
import { eitherDay, otherDay, rareDay } from './day-rules.js'
import { noEffect, steps } from './steps.js'
import { unschedulable } from './unschedulable.js'

export { sameTime } from './same-time.js'

/** What is doubtful about a schedule, whatever it starts and wherever it is written. */
export const scheduleRules: readonly Rule[] = [
  steps,
  rareDay,
  eitherDay,
  clockChange,
  otherDay,
  noEffect,
  unschedulable,
]
