export { type AddOptions, addCommand } from './add-command.js'
export { removeCommand } from './remove-command.js'
export { replaceFile } from './replace-file.js'
