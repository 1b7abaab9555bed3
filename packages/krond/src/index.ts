export * from './cli/index.js'
export * from './krontab/index.js'
export type { TextOutput } from './terminal/index.js'
