export { type Decided, type Evaluation, evaluate } from './evaluate.js'
export type { SkipReason, Verdict } from './verdict.js'
