export { createDatabase, dropDatabase } from './databases.ts'
export type { PostgresOptions, PostgresServer } from './server.ts'
export { postgresUnavailable, startPostgres } from './start.ts'
