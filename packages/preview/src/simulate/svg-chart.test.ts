import { compileJob, zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { countStarts } from './count-starts.js'
import { simulationOf } from './simulation.js'
import { escapeXml, svgChart } from './svg-chart.js'

function chartOf(jobs: number, timezone: string): string {
  const list = Array.from({ length: jobs }, (_, i) =>
    compileJob({ identity: `${i}`, schedule: '0 2 * * *', timezone, window: { duration: '2h' } }),
  )
  const from = Date.UTC(2026, 2, 1)
  const counts = countStarts({ jobs: list, from, buckets: 1440, bucketMs: 60_000 })!
  const tally = { jobs, withWindow: jobs, suspended: 0 }
  return svgChart(simulationOf(counts, tally, zone(timezone)))
}

/** Names of the elements, outermost first; throws when tags don't close in order. */
function elementsOf(xml: string): string[] {
  const seen: string[] = []
  const open: string[] = []
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  let end = 0
  for (let found = tag.exec(xml); found !== null; found = tag.exec(xml)) {
    end = tag.lastIndex
    const [, closing, name, , alone, text] = found
    if (text !== undefined) expect(text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
    else if (closing === '/') expect(open.pop()).toBe(name)
    else {
      seen.push(name!)
      if (alone !== '/') open.push(name!)
    }
  }
  expect(end).toBe(xml.length)
  expect(open).toEqual([])
  return seen
}

describe('the SVG', () => {
  const svg = chartOf(20, 'Europe/Paris')

  it('is well-formed and needs nothing from elsewhere', () => {
    const elements = elementsOf(svg)
    expect(elements[0]).toBe('svg')
    expect(new Set(elements)).toEqual(
      new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'g', 'path']),
    )
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|href/)
  })

  it('can be read by those who do not see it', () => {
    expect(svg).toContain('role="img" aria-labelledby="chart-title chart-desc"')
    expect(svg).toContain(
      '<title id="chart-title">Job starts in each minute, without and with windows</title>',
    )
    expect(svg).toMatch(/<desc id="chart-desc">20 jobs, .*Without windows peak 20, 20 in all; /)
  })

  it('has both series, a legend, and a dark side', () => {
    expect(svg).toMatch(/<path class="before" d="M[^"]+"/)
    expect(svg).toMatch(/<path class="after" d="M[^"]+"/)
    expect(svg).toContain('without windows: peak 20, 20 in all')
    expect(svg).toMatch(/with windows: peak \d, 20 in all/)
    expect(svg).toContain('@media (prefers-color-scheme:dark)')
  })

  it('has local times and, where they differ, UTC', () => {
    expect(svg).toContain('Europe/Paris above, UTC below')
    expect(chartOf(1, 'UTC')).not.toContain('above')
    expect(chartOf(1, 'UTC')).toContain('>02:00</text>')
  })

  it('stays inside of its picture', () => {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
    for (const [, x, y] of svg.matchAll(/(?:M| x=")([\d.]+)(?: |" y=")([\d.]+)/g)) {
      expect(Number(x)).toBeLessThanOrEqual(width!)
      expect(Number(y)).toBeLessThanOrEqual(height!)
    }
  })

  it('can show that nothing starts', () => {
    expect(elementsOf(chartOf(0, 'UTC'))[0]).toBe('svg')
  })

  it('escapes what it shows', () => {
    expect(escapeXml('<a & "b">')).toBe('&lt;a &amp; &quot;b&quot;&gt;')
  })
})
