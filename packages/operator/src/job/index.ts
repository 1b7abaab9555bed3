export { instantOf, marks } from './job-marks.js'
export { jobName } from './job-name.js'
export { isActive, type OwnedJob, ownedJob } from './owned-job.js'
export { checkedJob, manualJob, scheduledJob } from './scheduled-job.js'
