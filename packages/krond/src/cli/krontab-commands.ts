// What the commands of `krontab` do. Loaded when one is called, so that `--help` is there at once.

export { addCommand } from '../edit/add-command.js'
export { removeCommand } from '../edit/remove-command.js'
export { importCommand } from '../import/import-command.js'
export { lintCommand } from '../lint/lint-command.js'
export { explainCommand, nextCommand, simulateCommand } from '../preview/preview-commands.js'
