export { explainCommand } from './explain-command.js'
export { type Explanation, explanationOf } from './explanation.js'
