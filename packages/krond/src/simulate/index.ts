export { simulateCommand } from './simulate-command.js'
