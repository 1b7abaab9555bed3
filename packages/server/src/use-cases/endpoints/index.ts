export { draftOf, type EndpointDraft, maxExecutionTimeLimitMs } from '../../domain/index.js'
export {
  archiveEndpoint,
  clearHints,
  deleteEndpoint,
  hintInterval,
  hintOneShot,
  type Pause,
  pauseEndpoint,
  resetFailures,
  resumeEndpoint,
  runEndpoint,
} from './actions.js'
export { createEndpoint, type NewEndpoint } from './create.js'
export type { EndpointChange } from './draft.js'
export { headerNamePattern, maskedValue } from './request-checks.js'
export {
  compileChecked,
  endpointStatus,
  endpointStatuses,
  loadEndpoint,
  readEndpoint,
} from './stored-endpoint.js'
export { updateEndpoint } from './update.js'
