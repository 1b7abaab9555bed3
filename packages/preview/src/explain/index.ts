export { type ExplainOptions, explainAnswer, whichPeriod } from './explain-answer.js'
export { type Explanation, explanationOf } from './explanation.js'
