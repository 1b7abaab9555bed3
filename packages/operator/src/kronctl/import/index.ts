export { type ImportOptions, importCommand } from './import-command.js'
