export { statusCommand } from './status-command.js'
