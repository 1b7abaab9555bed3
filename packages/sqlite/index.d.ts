/** For the packages of Kron. They know its types from `@types/better-sqlite3`. */
declare const Database: unknown
export = Database
