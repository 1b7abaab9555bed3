import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectWriter } from './writer-connection.js'

let folder: string
let database: Database.Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-writer-'))
  database = connectWriter(join(folder, 'kron.db'))
})
afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true })
})

const setting = (name: string): unknown => database.pragma(name, { simple: true })

/** In SQLite's numbers for OFF, NORMAL, FULL and EXTRA. */
const full = 2

describe('the connection that writes', () => {
  it('has each commit on the disk when it returns, also after a loss of power', () => {
    expect(setting('synchronous')).toBe(full)
  })

  it('lets others read while it writes', () => {
    expect(setting('journal_mode')).toBe('wal')
  })

  it('waits for another program that writes, and copies its log back rarely', () => {
    expect(setting('busy_timeout')).toBe(5000)
    expect(setting('wal_autocheckpoint')).toBe(8000)
  })
})
