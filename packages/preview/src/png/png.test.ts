import { crc32, inflateSync } from 'node:zlib'
import { compileJob, zone, zoneNames } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { countStarts } from '../simulate/count-starts.js'
import { simulationOf } from '../simulate/simulation.js'
import { ascentRows, descentRows, glyph, hasGlyph } from './bitmap-font.js'
import { pngChart } from './index.js'
import { pngFile } from './png-file.js'
import { type Colour, Raster } from './raster.js'
import { drawText, textWidth } from './text-drawing.js'

interface Picture {
  readonly width: number
  readonly height: number
  readonly chunks: readonly string[]
  at(x: number, y: number): number[]
}

/** Reads a PNG of eight bits red, green and blue; checks all that has a check. */
function decoded(file: Uint8Array): Picture {
  const bytes = Buffer.from(file)
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.set(type, bytes.subarray(at + 8, at + 8 + length))
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)))
    at += length + 12
  }
  const header = chunks.get('IHDR')!
  expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0])
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = inflateSync(chunks.get('IDAT')!)
  const rowBytes = width * 3
  expect(rows.length).toBe(height * (rowBytes + 1))
  const pixels = new Uint8Array(height * rowBytes)
  for (let y = 0; y < height; y++) {
    expect(rows[y * (rowBytes + 1)]).toBe(2)
    for (let x = 0; x < rowBytes; x++) {
      const above = y === 0 ? 0 : pixels[(y - 1) * rowBytes + x]!
      pixels[y * rowBytes + x] = rows[y * (rowBytes + 1) + 1 + x]! + above
    }
  }
  const at = (x: number, y: number): number[] => [
    ...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
  ]
  return { width, height, chunks: [...chunks.keys()], at }
}

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]

describe('a PNG file', () => {
  it('holds the pixels that it was given', () => {
    const pixels = Uint8Array.from({ length: 7 * 5 * 3 }, (_, index) => (index * 37) % 256)
    const picture = decoded(pngFile(7, 5, pixels))
    expect(picture).toMatchObject({ width: 7, height: 5 })
    expect(picture.chunks).toEqual(['IHDR', 'pHYs', 'IDAT', 'IEND'])
    for (let index = 0; index < 35; index++) {
      const expected = [...pixels.subarray(index * 3, index * 3 + 3)]
      expect(picture.at(index % 7, Math.floor(index / 7))).toEqual(expected)
    }
  })
})

describe('a raster', () => {
  const level = (raster: Raster, x: number, y: number): number =>
    raster.pixels[(y * raster.width + x) * 3]!

  it('colours pixels as far as a shape covers them', () => {
    const raster = new Raster(4, 3, white)
    raster.fill(0.5, 1, 2, 1.25, black)
    expect([0, 1, 2, 3].map((x) => level(raster, x, 1))).toEqual([128, 0, 128, 255])
    expect([0, 1, 2, 3].map((x) => level(raster, x, 2))).toEqual([223, 191, 223, 255])
    expect([0, 1, 2, 3].map((x) => level(raster, x, 0))).toEqual([255, 255, 255, 255])
  })

  it('takes shapes that lie partly or wholly outside', () => {
    const raster = new Raster(2, 2, white)
    raster.fill(-5, -5, 6, 6, black)
    raster.fill(9, 9, 3, 3, black)
    expect([...raster.pixels.filter((_, index) => index % 3 === 0)]).toEqual([0, 255, 255, 255])
  })
})

describe('the font', () => {
  it('has every character that a chart can show', () => {
    const texts = [
      'Job starts in each 1h30m, without and with windows: peak 9,876 (x) +',
      ...zoneNames(),
    ]
    const missing = new Set(
      texts
        .join('')
        .split('')
        .filter((character) => !hasGlyph(character)),
    )
    expect([...missing]).toEqual([])
    for (let code = 0; code < 10; code++) expect(hasGlyph(String(code))).toBe(true)
  })

  it('has drawings that fit their cells, all different', () => {
    const seen = new Set<string>()
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.,:;/()_!?='
    for (const character of characters) {
      const { width, ink } = glyph(character)
      expect(ink.length).toBe(width * (ascentRows + descentRows))
      expect(ink.some((dot) => dot === 1)).toBe(true)
      seen.add(`${width} ${ink.join('')}`)
    }
    expect(seen.size).toBe(characters.length)
  })

  it('shows a box for what it does not have', () => {
    expect(glyph('\u4e16')).toEqual(glyph('\u{1f600}'))
    expect(glyph('\u4e16').width).toBe(5)
  })
})

describe('text', () => {
  const columnsWithInk = (raster: Raster): number[] =>
    Array.from({ length: raster.width }, (_, x) => x).filter((x) =>
      Array.from(
        { length: raster.height },
        (_, y) => raster.pixels[(y * raster.width + x) * 3]!,
      ).some((value) => value < 128),
    )

  it.each([
    ['start', 50, 50, 80],
    ['middle', 50, 34, 66],
    ['end', 50, 19, 50],
  ] as const)('that is anchored at its %s stands there', (anchor, x, least, most) => {
    const raster = new Raster(100, 40, white)
    const style = { dot: 3, colour: black, anchor }
    expect(textWidth('HH', style)).toBe(33)
    drawText(raster, x, 30, 'HH', style)
    const columns = columnsWithInk(raster)
    expect(columns[0]).toBeGreaterThanOrEqual(least - 2)
    expect(columns.at(-1)).toBeLessThanOrEqual(most + 3)
  })

  it('that is bold has more ink', () => {
    const inkOf = (bold: boolean): number => {
      const raster = new Raster(100, 40, white)
      drawText(raster, 5, 30, 'Kron', { dot: 4, colour: black, bold })
      return raster.pixels.reduce((sum, value) => sum + 255 - value, 0)
    }
    expect(inkOf(true)).toBeGreaterThan(inkOf(false) * 1.2)
  })
})

describe('the chart as a PNG', () => {
  function chartOf(jobs: number, timezone: string): Picture {
    const window = { duration: '2h' }
    const list = Array.from({ length: jobs }, (_, i) =>
      compileJob({ identity: `${i}`, schedule: '0 2 * * *', timezone, window }),
    )
    const from = Date.UTC(2026, 2, 1)
    const counts = countStarts({ jobs: list, from, buckets: 1440, bucketMs: 60_000 })!
    const tally = { jobs, withWindow: jobs, suspended: 0 }
    return decoded(pngChart(simulationOf(counts, tally, zone(timezone))))
  }
  const before = [0xc4, 0x50, 0x0a].join()
  const after = [0x0b, 0x62, 0xc1].join()

  /** Where a colour is, below the legend. */
  function placesOf(picture: Picture, colour: string): { x: number; y: number }[] {
    const places: { x: number; y: number }[] = []
    for (let y = 200; y < picture.height; y++) {
      for (let x = 0; x < picture.width; x++) {
        if (picture.at(x, y).join() === colour) places.push({ x, y })
      }
    }
    return places
  }

  it('has one high bar without windows, and many low ones with', () => {
    const picture = chartOf(40, 'UTC')
    expect(picture).toMatchObject({ width: 1920, height: 968 })
    const heightOf = (places: { y: number }[]): number => {
      const all = places.map(({ y }) => y)
      return Math.max(...all) - Math.min(...all)
    }
    const upper = placesOf(picture, before)
    const lower = placesOf(picture, after)
    expect(heightOf(upper)).toBeGreaterThan(250)
    expect(heightOf(lower)).toBeLessThan(100)
    expect(new Set(lower.map(({ x }) => x)).size).toBeGreaterThan(20)
    const twoOClock = 112 + (2 / 24) * 1760
    for (const { x } of upper) expect(Math.abs(x - twoOClock)).toBeLessThan(10)
  })

  it('has no bars when nothing starts, and is white at its edges', () => {
    const picture = chartOf(0, 'Europe/Paris')
    expect(placesOf(picture, before)).toEqual([])
    expect(placesOf(picture, after)).toEqual([])
    for (let x = 0; x < picture.width; x++) {
      expect(picture.at(x, 0)).toEqual([255, 255, 255])
      expect(picture.at(x, picture.height - 1)).toEqual([255, 255, 255])
    }
  })
})
