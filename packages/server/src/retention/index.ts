export { type RetentionOptions, retentionLoop } from './retention-loop.js'
