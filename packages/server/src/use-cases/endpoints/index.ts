export { archiveEndpoint } from './archive-endpoint.js'
export { clearHints } from './clear-hints.js'
export { compileChecked } from './compile-checked.js'
export { createEndpoint, type NewEndpoint } from './create-endpoint.js'
export { deleteEndpoint } from './delete-endpoint.js'
export {
  draftOf,
  type EndpointChange,
  type EndpointDraft,
  maxExecutionTimeLimitMs,
} from './endpoint-draft.js'
export { type EndpointStatus, endpointStatus, endpointStatuses } from './endpoint-status.js'
export { hintInterval, type IntervalWish } from './hint-interval.js'
export { hintOneShot, type OneShotWish } from './hint-one-shot.js'
export { loadEndpoint, readEndpoint } from './load-endpoint.js'
export { type Pause, pauseEndpoint } from './pause-endpoint.js'
export { resetFailures } from './reset-failures.js'
export { resumeEndpoint } from './resume-endpoint.js'
export { runEndpoint } from './run-endpoint.js'
export { headerNamePattern, maskedValue } from './seal-headers.js'
export { updateEndpoint } from './update-endpoint.js'
