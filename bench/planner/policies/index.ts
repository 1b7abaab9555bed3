import { doubling } from './doubling.ts'
import { fixed } from './fixed.ts'
import { halveGrow } from './halve-grow.ts'
import { oracle } from './oracle.ts'
import type { Policy } from './policy.ts'
import { rules } from './rules.ts'
import { ucb } from './ucb.ts'

/** Policies that look at each endpoint alone; `pooled` looks at all of them. */
export const policies: readonly Policy[] = [fixed, doubling, halveGrow, ucb, rules, oracle]

export const policyNames: readonly string[] = [
  'fixed',
  'doubling',
  'halve-grow',
  'ucb',
  'rules',
  'pooled',
  'oracle',
]
