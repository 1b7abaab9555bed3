export { decide } from './decide.js'
export type { Decision } from './decision.js'
export { compileJob, Job } from './job.js'
export { maxAttempts, type Sample } from './sampling.js'
