export { checkRegistrations } from './check-registrations.js'
export { isGenerator } from './generator.js'
export type { Callback, CheckedRegistration, Registration } from './registration.js'
