/** Locks a database for writing, and lets go when it is told to. */
import Database from 'better-sqlite3'

const database = new Database(process.argv[2])
database.exec('BEGIN IMMEDIATE')
process.send('locked')
process.once('message', () => {
  database.close()
  process.disconnect()
})
