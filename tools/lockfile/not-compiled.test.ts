import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Lock } from './missing-platforms.ts'
import { withNothingToCompile } from './not-compiled.ts'

it('marks what is compiled already, wherever it is installed, and nothing else', () => {
  const lock = {
    packages: {
      'node_modules/better-sqlite3': { version: '1.0.0' },
      'packages/a/node_modules/better-sqlite3': { version: '2.0.0' },
      'node_modules/@types/better-sqlite3': { version: '3.0.0' },
    },
  }
  expect(Object.values(withNothingToCompile(lock).packages)).toEqual([
    { version: '1.0.0', gypfile: false },
    { version: '2.0.0', gypfile: false },
    { version: '3.0.0' },
  ])
})

it('was done to the lock file of the repository', () => {
  const file = new URL('../../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  expect(lock.packages['node_modules/better-sqlite3']).toBeDefined()
  expect(withNothingToCompile(lock)).toEqual(lock)
})
