export {
  listTenants,
  makeTenant,
  setQuotas,
  setRetention,
  showSystemUsage,
  showTenant,
} from './tenant-commands.js'
export {
  newKeyOfTenant,
  removeTenant,
  renameTenantTo,
  resumeTenantAgain,
  suspendTenantNow,
} from './tenant-remedies.js'
