export {
  listTenants,
  makeTenant,
  setQuotas,
  setRetention,
  showTenant,
} from './tenant-commands.js'
