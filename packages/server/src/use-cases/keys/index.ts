export { type CreatedKey, createKey, type NewKey } from './create-key.js'
export { loadKey } from './load-key.js'
export { revokeKey } from './revoke-key.js'
