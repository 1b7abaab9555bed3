export { type Answer, printAnswer, printAnswers } from './answer.js'
export { type Cell, type Format, Invocation, type OutputOptions } from './invocation.js'
