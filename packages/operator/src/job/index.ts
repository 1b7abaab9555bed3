export { instantOf, jobName, marks } from './job-name.js'
export { isActive, type OwnedJob, ownedJob } from './owned-job.js'
export { checkedJob, manualJob, scheduledJob } from './scheduled-job.js'
