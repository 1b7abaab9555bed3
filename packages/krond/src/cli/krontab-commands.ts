// What the commands of `krontab` do. Loaded when one is called, so that `--help` is there at once.

export { addCommand, removeCommand } from '../edit/index.js'
export { importCommand } from '../import/index.js'
export { lintCommand } from '../lint/index.js'
export { explainCommand, nextCommand, simulateCommand } from '../preview/preview-commands.js'
