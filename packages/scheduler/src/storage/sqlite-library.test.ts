import { describe, expect, it } from 'vitest'
import { StorageUnusableError } from '../errors/index.js'
import { loadSqlite } from './sqlite-library.js'

describe('loading SQLite', () => {
  it.each([
    { node: '20.20.2', napi: '9' },
    { node: '22.13.1', napi: '9' },
    { node: '23.5.0', napi: '9' },
    { node: '99.0.0' },
  ])('does not touch the library on Node $node with Node-API $napi', (versions) => {
    const touched: string[] = []
    const load = (): unknown => loadSqlite(versions, (name) => touched.push(name))
    expect(load).toThrow(StorageUnusableError)
    expect(load).toThrow(`needs Node 22.14 or later and this is Node ${versions.node}`)
    expect(load).toThrow('memoryStorage()')
    expect(touched).toEqual([])
  })

  it('says what is wrong with a library that is missing', () => {
    const load = (): unknown =>
      loadSqlite({ node: '24.0.0', napi: '10' }, () => {
        throw new Error("Cannot find module '@kron/sqlite'")
      })
    expect(load).toThrow(StorageUnusableError)
    expect(load).toThrow(/memoryStorage\(\).*Error: Cannot find module '@kron\/sqlite'/)
  })

  it('says what is wrong with a library whose native part is missing', () => {
    function Library(): never {
      throw new Error('Could not locate the bindings file')
    }
    const load = (): unknown => loadSqlite({ node: '24.0.0', napi: '10' }, () => Library)
    expect(load).toThrow(StorageUnusableError)
    expect(load).toThrow('Error: Could not locate the bindings file')
  })

  it('answers the library on this Node', () => {
    const database = new (loadSqlite())(':memory:')
    expect(database.prepare('SELECT 1').pluck().get()).toBe(1)
    database.close()
  })
})
