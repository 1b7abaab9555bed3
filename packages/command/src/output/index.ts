export { type Answer, printAnswer, printAnswers } from './answer.js'
export { type Cell, Invocation, type OutputOptions } from './invocation.js'
