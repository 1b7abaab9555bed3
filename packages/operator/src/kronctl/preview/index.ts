export { explainCommand } from './explain-command.js'
export { nextCommand } from './next-command.js'
export { simulateCommand } from './simulate-command.js'
