import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { after, before, pictures } from './pictures.ts'

const squaresIn = (svg: string, color: string): number => {
  const [, path] = new RegExp(`<path class="${color}" d="([^"]*)"`).exec(svg)!
  return path!.split('M').length - 1
}

describe('the pictures of the documentation', () => {
  it.each([...pictures])('%s in the tree is what Kron decides now', (path, text) => {
    const drawn = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(drawn, 'npm run picture').toBe(text)
  })

  it('show every job once on both sides', () => {
    const svg = pictures.get('docs/images/windows.svg')!
    expect([squaresIn(svg, 'before'), squaresIn(svg, 'after')]).toEqual([60, 60])
  })

  it('show all jobs in one minute without windows, and few in any with them', () => {
    expect(before.peak).toEqual({ starts: 60, minute: 0 })
    expect(after.peak.starts).toBeLessThan(6)
  })
})
