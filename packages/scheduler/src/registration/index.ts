export { checkRegistrations } from './check-registrations.js'
export type { Callback, CheckedRegistration, Registration } from './registration.js'
