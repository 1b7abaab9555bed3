export { showSystemUsage } from './system-usage.js'
export {
  listTenants,
  makeTenant,
  setQuotas,
  setRetention,
  showTenant,
} from './tenant-commands.js'
export {
  newKeyOfTenant,
  removeTenant,
  renameTenantTo,
  resumeTenantAgain,
  suspendTenantNow,
} from './tenant-remedies.js'
