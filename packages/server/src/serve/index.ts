export { type Role, roles } from './role.js'
export { type DataOptions, isPostgres, type ServeOptions } from './serve-options.js'
export { type Service, type Surroundings, startService } from './service.js'
export { StartError, type StartPart } from './start-error.js'
