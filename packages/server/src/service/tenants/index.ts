export { changeQuotas, changeRetention } from './change-tenant.js'
export {
  type CreatedTenant,
  createFirstTenant,
  createTenant,
  type NewTenant,
} from './create-tenant.js'
