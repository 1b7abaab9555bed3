export { secretNamePattern } from '../domain/index.js'
export {
  endpointAdvice,
  endpointHealth,
  explainEndpoint,
  forecastLoad,
  nextPlans,
} from './answers.js'
export { type Asker, type Call, inCall, inReading, type UseCasePorts } from './call.js'
export type { VersionCondition } from './change.js'
export * from './endpoints/index.js'
export {
  archiveJob,
  createJob,
  deleteJob,
  type JobChange,
  loadJob,
  type NewJob,
  pauseJob,
  readJob,
  resumeJob,
  updateJob,
} from './jobs.js'
export { type CreatedKey, createKey, loadKey, revokeKey } from './keys.js'
export {
  type CreatedTenant,
  createFirstTenant,
  createTenant,
  hasKeys,
  type NewTenant,
  onlyTenant,
} from './new-tenant.js'
export {
  type FieldError,
  invalidField,
  invalidFields,
  notFound,
  Refusal,
  type RefusalCode,
  tenantSuspended,
} from './refusal.js'
export { replayRun } from './requested-runs.js'
export { cancelRun, readRun } from './runs.js'
export {
  defaultSecretName,
  deleteSecret,
  putSecret,
  type Rotation,
  readSecret,
  rotateSecret,
  type StoredSecret,
  secretValuePattern,
} from './secrets.js'
export {
  changeQuotas,
  changeRetention,
  deleteTenant,
  holdToFloor,
  renameTenant,
  resumeTenant,
  suspendTenant,
} from './tenants.js'
