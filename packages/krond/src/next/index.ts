export { type NextOptions, nextCommand } from './next-command.js'
