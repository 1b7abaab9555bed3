import {
  clockChange,
  eitherDay,
  noEffect,
  otherDay,
  rareDay,
  steps,
  unschedulable,
} from './rules/index.js'
import type { Rule } from './subject.js'

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
