/** What `@kron/server` is to other programs; `@kron/server/webhook` is the other half. */
export type { Role } from './start/server.js'
export {
  type CreatedTenant,
  type Server,
  type ServerLogOptions,
  type ServerOptions,
  startServer,
} from './start/server.js'
