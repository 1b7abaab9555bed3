export { type FailureReason, failureReason } from './failure-reason.js'
