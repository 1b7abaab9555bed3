export { type AddOptions, addCommand } from './add-command.js'
export { removeCommand } from './remove-command.js'
export { type Replacement, replaceFile } from './replace-file.js'
