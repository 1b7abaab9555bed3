export { Duration } from './duration.js'
export { type RetryDelay, retryDelayMs } from './retry-delay.js'
