export * from './cli/index.js'
export * from './krontab/index.js'
