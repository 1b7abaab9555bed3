export * from './answers/index.js'
export { type Asker, type Call, inCall, inReading, type ServicePorts } from './call.js'
export * from './endpoints/index.js'
export * from './jobs/index.js'
export * from './keys/index.js'
export * from './runs/index.js'
export * from './secrets/index.js'
export {
  type FieldError,
  invalidField,
  invalidFields,
  notFound,
  ServiceError,
  type ServiceErrorCode,
  tenantSuspended,
} from './service-error.js'
export * from './tenants/index.js'
export type { VersionCondition } from './version-condition.js'
