export { Cron } from './cron.js'
export type { Dialect } from './dialect.js'
export { parseCron } from './parse.js'
