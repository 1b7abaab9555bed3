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
export { headerNamePattern, maskedValue } from './request-checks.js'
export {
  compileChecked,
  endpointStatus,
  endpointStatuses,
  loadEndpoint,
  readEndpoint,
} from './stored-endpoint.js'
export { updateEndpoint } from './update.js'
