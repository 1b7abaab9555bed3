export { durationOf } from './duration-of.js'
export { formatDuration } from './format-duration.js'
export { parseDuration } from './parse-duration.js'
