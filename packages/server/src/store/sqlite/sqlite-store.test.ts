import { describeStore } from '../conformance/store-conformance.js'
import { openSqliteStore } from './sqlite-store.js'

describeStore('SQLite', async (now) => {
  const store = openSqliteStore({ path: ':memory:', now })
  await store.migrate()
  return store
})
