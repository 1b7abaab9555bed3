// What the commands of `krontab` do. Loaded when one is called, so that `--help` is there at once.

export { addCommand, removeCommand } from '../edit/index.js'
export { explainCommand } from '../explain/index.js'
export { importCommand } from '../import/index.js'
export { lintCommand } from '../lint/index.js'
export { nextCommand } from '../next/index.js'
export { simulateCommand } from '../simulate/index.js'
