export { type Role, roles } from './role.js'
export { isPostgres, type ServeOptions } from './serve-options.js'
export { type Service, type Surroundings, startService } from './service.js'
