export { changeQuotas, changeRetention } from './change-tenant.js'
export {
  type CreatedTenant,
  createFirstTenant,
  createTenant,
  hasKeys,
  type NewTenant,
  onlyTenant,
} from './create-tenant.js'
export { deleteTenant } from './delete-tenant.js'
export { holdToFloor } from './hold-to-floor.js'
export { renameTenant } from './rename-tenant.js'
export { resumeTenant, suspendTenant } from './suspend-tenant.js'
