export { type ValidateOptions, validateCommand } from './validate-command.js'
