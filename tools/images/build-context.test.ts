import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contextFiles, ignoredBy } from './build-context.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('an ignore file', () => {
  const isIgnored = ignoredBy(
    ['# all', '*', '!a', '!b/c', '**/dist', '**/*.test.ts', 'a/*/x?'].join('\n'),
  )

  it.each(['z', 'z/y', 'b', 'b/d', 'a/dist', 'a/dist/f', 'a/q/dist/f', 'a/f.test.ts', 'a/1/x2'])(
    'leaves out %s',
    (path) => {
      expect(isIgnored(path)).toBe(true)
    },
  )

  it.each(['a', 'a/f', 'a/g/f.ts', 'b/c', 'b/c/d', 'a/distance', 'a/1/2/x2'])(
    'lets %s through',
    (path) => {
      expect(isIgnored(path)).toBe(false)
    },
  )
})

describe('what images are built from', () => {
  const files = contextFiles(root)

  it('is the source of every package, and no tests, results or secrets', () => {
    expect(files).toContain('packages/server/src/index.ts')
    expect(files.filter((path) => /\.test\.ts$|\/dist\/|node_modules|\.env/.test(path))).toEqual([])
  })

  it('has the package.json of every workspace, which the lock file knows of', () => {
    const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
    const workspaces = Object.keys(lock.packages)
      .filter((path) => path !== '' && !path.includes('node_modules'))
      .map((path) => `${path}/package.json`)
      .filter((path) => existsSync(`${root}/${path}`))
    expect(workspaces.length).toBeGreaterThan(5)
    expect(workspaces.filter((path) => !files.includes(path))).toEqual([])
  })
})
