export type { NamedJob } from './named-job.js'
