export { jobEvents } from './job-events.js'
export { statusOf } from './status-of.js'
export { statusPatch } from './status-patch.js'
