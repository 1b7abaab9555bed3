export {
  type ExplainOptions,
  explainAnswer,
  type WhichPeriod,
  whichPeriod,
} from './explain-answer.js'
export { type Explanation, explanationOf } from './explanation.js'
