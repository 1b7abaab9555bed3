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
export { endpointStatus, endpointStatuses } from './endpoint-status.js'
export { headerNamePattern, maskedValue } from './headers.js'
export { holdToFloor } from './interval-floor.js'
export { compileChecked, loadEndpoint, readEndpoint } from './stored-endpoint.js'
export { updateEndpoint } from './update.js'
