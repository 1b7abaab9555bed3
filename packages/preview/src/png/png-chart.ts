import { utc } from '@kron/core'
import { grouped } from '@kron/runtime'
import {
  axisNote,
  barWidth,
  chartLayout,
  columnBuckets,
  gridValues,
  seriesText,
  subtitleOf,
  timeAxisOf,
  titleOf,
  topOf,
} from '../simulate/chart-layout.js'
import { peaksOf, type Series } from '../simulate/series.js'
import type { Simulation } from '../simulate/simulation.js'
import { tickText } from '../simulate/time-axis.js'
import { pngFile } from './png-file.js'
import { type Colour, Raster } from './raster.js'
import { drawText, type TextStyle } from './text-drawing.js'

/** Pixels for each unit of the layout, so that it is sharp on screens of today. */
const density = 2

const paper: Colour = [0xff, 0xff, 0xff]
const ink: Colour = [0x1f, 0x23, 0x28]
const faint: Colour = [0x59, 0x63, 0x6e]
const grid: Colour = [0xd1, 0xd9, 0xe0]
const seriesColours = { before: [0xc4, 0x50, 0x0a], after: [0x0b, 0x62, 0xc1] } as const

const heading: TextStyle = { dot: 4, colour: ink, bold: true }
const plain: TextStyle = { dot: 3, colour: ink }
const quiet: TextStyle = { dot: 3, colour: faint }

const { width, left, right, margin, panelTop, panelHeight, panelGap, plotWidth } = chartLayout

/** The same picture as the SVG, for where only images are shown. */
export function pngChart(simulation: Simulation): Uint8Array {
  const lower = panelTop + panelHeight + panelGap
  const bottom = lower + panelHeight
  const height = bottom + chartLayout.foot
  const picture = new ChartPicture(height)
  const { before, after } = simulation
  picture.text(margin, chartLayout.titleBaseline, titleOf(simulation), heading)
  picture.text(margin, chartLayout.subtitleBaseline, subtitleOf(simulation), quiet)
  const apart = margin + chartLayout.legendApart
  picture.legend(margin, seriesColours.before, `without windows: ${seriesText(before)}`)
  picture.legend(apart, seriesColours.after, `with windows: ${seriesText(after)}`)
  picture.panel(simulation, before, seriesColours.before, panelTop)
  picture.panel(simulation, after, seriesColours.after, lower)
  picture.timeAxis(simulation, bottom)
  return picture.file()
}

/** Drawn in units of the layout. */
class ChartPicture {
  readonly #raster: Raster

  constructor(height: number) {
    this.#raster = new Raster(width * density, height * density, paper)
  }

  file(): Uint8Array {
    return pngFile(this.#raster.width, this.#raster.height, this.#raster.pixels)
  }

  text(x: number, baseline: number, content: string, style: TextStyle): void {
    drawText(this.#raster, x * density, baseline * density, content, style)
  }

  legend(x: number, colour: Colour, label: string): void {
    const { legendTop, legendBaseline, legendSize, legendGap } = chartLayout
    this.#box(x, legendTop, legendSize, legendSize, colour)
    this.text(x + legendSize + legendGap, legendBaseline + 1, label, plain)
  }

  panel(simulation: Simulation, series: Series, colour: Colour, y: number): void {
    const top = topOf(simulation)
    const base = y + panelHeight
    for (const value of gridValues(top)) {
      const at = base - (value / top) * panelHeight
      if (value > 0) this.#dashes(at)
      this.text(left - 8, at + 5, grouped(value), { ...quiet, anchor: 'end' })
    }
    const columns = peaksOf(series.counts, columnBuckets(simulation))
    const step = plotWidth / columns.length
    for (const [column, count] of columns.entries()) {
      const high = (count / top) * panelHeight
      this.#box(left + column * step, base - high, barWidth(step), high, colour)
    }
    this.#box(left, base - 0.5, plotWidth, 1, faint)
  }

  timeAxis(simulation: Simulation, bottom: number): void {
    const { zone } = simulation
    const { axis, step } = timeAxisOf(simulation)
    for (const tick of axis.ticks) {
      const x = left + tick.column * step
      this.#box(x - 0.5, bottom, 1, 5, faint)
      this.text(x, bottom + 20, tickText(tick, axis, zone), { ...plain, anchor: 'middle' })
      if (zone.name === 'UTC') continue
      this.text(x, bottom + 38, tickText(tick, axis, utc), { ...quiet, anchor: 'middle' })
    }
    const note = axisNote(simulation)
    this.text(width - right, bottom + note.below, note.text, { ...quiet, anchor: 'end' })
  }

  #dashes(y: number): void {
    for (let x = left; x < left + plotWidth; x += 5) this.#box(x, y - 0.25, 2, 0.5, grid)
  }

  #box(x: number, y: number, wide: number, high: number, colour: Colour): void {
    this.#raster.fill(x * density, y * density, wide * density, high * density, colour)
  }
}
