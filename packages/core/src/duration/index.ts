export { formatDuration } from './format-duration.js'
export { durationOf, parseDuration } from './parse-duration.js'
