export { type UsageLoopOptions, usageLoop } from './usage-loop.js'
