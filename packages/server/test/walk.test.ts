import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
const hops = [...page.matchAll(/^\| \d+ \| `([^`]+)` \| ([^|]+) \|/gm)].map(([, file, names]) => ({
  file: file!,
  names: [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
}))

describe('the walk from an endpoint to its run record', () => {
  it.each(hops)('finds $names in $file', ({ file, names }) => {
    const url = new URL(`../src/${file}`, import.meta.url)
    expect(existsSync(url)).toBe(true)
    const text = readFileSync(url, 'utf8')
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })

  it('is not longer than it need be, and counts no file twice', () => {
    expect(hops.length).toBeGreaterThan(20)
    expect(hops.length).toBeLessThanOrEqual(35)
    expect(new Set(hops.map(({ file }) => file)).size).toBe(hops.length)
  })
})
