import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const textOf = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** The rows of the walk in ARCHITECTURE.md: a number, a function, and the file that it stands in. */
const hops = [
  ...textOf('ARCHITECTURE.md').matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|/gm),
].map(([, number, name, place]) => ({ number: Number(number), name: name!, place: place! }))

describe('the walk of a krontab line', () => {
  it('counts its hops', () => {
    expect(hops.length).toBeGreaterThan(50)
    expect(hops.map(({ number }) => number)).toEqual(hops.map((_, index) => index + 1))
  })

  it.each(hops.filter(({ place }) => place.endsWith('.ts')))(
    'finds $name in $place',
    ({ name, place }) => {
      const names = name.split('.').map((part) => part.replace('#', ''))
      const text = textOf(`src/${place}`)
      expect(names.filter((part) => !new RegExp(`\\b${part}\\b`).test(text))).toEqual([])
    },
  )
})
