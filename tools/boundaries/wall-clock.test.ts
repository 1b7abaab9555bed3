import { globSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The only files that read the time of the machine. All other code asks the clock it was given. */
const readers: readonly string[] = [
  'packages/runtime/src/clock/system-clock.ts',
  // The clock of lines that wait for room, whose timers keep no process alive.
  'packages/runtime/src/log/descriptor-outlet.ts',
  // For the event that reports a failure of the clock itself.
  'packages/scheduler/src/lifecycle/lifecycle.ts',
]

const readsWallClock = (text: string): boolean =>
  /\bDate\.now\b|\bnew Date\(\s*\)|[^.\w]Date\(\s*\)/.test(text)

const withoutComments = (text: string): string => text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')

const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => !/\.test\.ts$|-conformance\.ts$|\/testing\//.test(file))

describe('the time of the machine', () => {
  it('is read by clocks only', () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.filter((file) =>
      readsWallClock(withoutComments(readFileSync(resolve(root, file), 'utf8'))),
    )
    expect(found.sort()).toEqual(readers)
  })

  it.each([
    ['const now = Date.now()', true],
    ['const times = rows.map(Date.now)', true],
    ['const now = new Date()', true],
    ['const text = Date()', true],
    ['const date = new Date(now)', false],
    ['const ms = clock.now().getTime()', false],
    ['const date = row.toDate()', false],
  ])('is read by %j: %s', (text, isRead) => {
    expect(readsWallClock(text)).toBe(isRead)
  })
})
