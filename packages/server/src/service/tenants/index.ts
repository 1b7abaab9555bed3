export { type CreatedTenant, createTenant, type NewTenant } from './create-tenant.js'
