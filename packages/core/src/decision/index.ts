export { type Decision, decide } from './decision.js'
export { compileJob, Job } from './job.js'
export { maxAttempts, type Sample } from './sampling.js'
