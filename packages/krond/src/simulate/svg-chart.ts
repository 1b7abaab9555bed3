import { utc } from '@kron/core'
import { formatLocal } from '../local-time/index.js'
import { counted, grouped } from '../terminal/index.js'
import { peaksOf, type Series } from './series.js'
import { unitOf } from './simulate-text.js'
import type { Simulation } from './simulation.js'
import { escapeXml, svgStyle } from './svg-style.js'
import { axisOf, bucketsPerColumn, tickText } from './time-axis.js'

const width = 960
const left = 56
const right = 24
const panelTop = 104
const panelHeight = 140
const panelGap = 36
const mostColumns = 440
const plotWidth = width - left - right

/** A self-contained picture: both series on the same scale, one above the other. */
export function svgChart(simulation: Simulation): string {
  const { before, after } = simulation
  const top = niceTop(Math.max(before.peak, after.peak, 1))
  const lower = panelTop + panelHeight + panelGap
  const bottom = lower + panelHeight
  const height = bottom + 64
  const title = `Job starts in ${unitOf(simulation.bucketMs)}, without and with windows`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" role="img" aria-labelledby="chart-title chart-desc">`,
    `<title id="chart-title">${escapeXml(title)}</title>`,
    `<desc id="chart-desc">${escapeXml(description(simulation))}</desc>`,
    `<style>${svgStyle}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    text(24, 34, title, 'heading'),
    text(24, 56, subtitle(simulation), 'quiet'),
    legend('before', 24, `without windows: ${seriesText(before)}`),
    legend('after', 24 + 360, `with windows: ${seriesText(after)}`),
    panel(simulation, before, 'before', panelTop, top),
    panel(simulation, after, 'after', lower, top),
    ...timeAxis(simulation, bottom),
    '</svg>',
    '',
  ].join('\n')
}

function description(simulation: Simulation): string {
  const { before, after } = simulation
  return (
    `${subtitle(simulation)}. Without windows ${seriesText(before)}; ` +
    `with windows ${seriesText(after)}.`
  )
}

function subtitle({ jobs, from, until, zone }: Simulation): string {
  const stretch = `${formatLocal(from, zone)} to ${formatLocal(until, zone)}`
  return `${counted(jobs, 'job')}, ${stretch}, ${zone.name}`
}

function seriesText({ peak, total }: Series): string {
  return `peak ${grouped(peak)}, ${grouped(total)} in all`
}

function legend(name: string, x: number, label: string): string {
  return (
    `<rect class="${name}" x="${x}" y="72" width="12" height="12" rx="2"/>` +
    text(x + 18, 82, label, '')
  )
}

function panel(
  { buckets, bucketMs }: Simulation,
  series: Series,
  name: string,
  y: number,
  top: number,
): string {
  const columns = peaksOf(series.counts, bucketsPerColumn(buckets, bucketMs, mostColumns))
  const step = plotWidth / columns.length
  const bar = Math.max(0.5, step > 3 ? step - 1 : step)
  const bars = columns.flatMap((count, column) => {
    if (count === 0) return []
    const height = (count / top) * panelHeight
    const x = left + column * step
    return [
      `M${round(x)} ${round(y + panelHeight)}v${round(-height)}h${round(bar)}v${round(height)}z`,
    ]
  })
  const lines = gridValues(top).map((value) => {
    const at = round(y + panelHeight - (value / top) * panelHeight)
    const line = `<path class="${value === 0 ? 'base' : 'grid'}" d="M${left} ${at}h${plotWidth}"/>`
    return line + text(left - 8, at + 4, grouped(value), 'quiet end')
  })
  return [`<g>`, ...lines, `<path class="${name}" d="${bars.join('')}"/>`, '</g>'].join('\n')
}

function timeAxis({ buckets, bucketMs, from, zone }: Simulation, bottom: number): string[] {
  const perColumn = bucketsPerColumn(buckets, bucketMs, mostColumns)
  const columns = Math.ceil(buckets / perColumn)
  const step = plotWidth / columns
  const axis = axisOf(from, perColumn * bucketMs, columns, Math.ceil(64 / step), zone)
  const inUtc = zone.name === 'UTC'
  const marks = axis.ticks.flatMap((tick) => {
    const x = round(left + tick.column * step)
    const mark = `<path class="base" d="M${x} ${bottom}v5"/>`
    const local = text(x, bottom + 20, tickText(tick, axis, zone), 'middle')
    const second = inUtc ? [] : [text(x, bottom + 38, tickText(tick, axis, utc), 'quiet middle')]
    return [mark + local, ...second]
  })
  const label = (y: number, name: string) => text(width - right, y, name, 'quiet end')
  const names = inUtc
    ? [label(bottom + 38, 'UTC')]
    : [label(bottom + 56, `${zone.name} above, UTC below`)]
  return [...marks, ...names]
}

function text(x: number, y: number, content: string, classes: string): string {
  const named = classes === '' ? '' : ` class="${classes}"`
  return `<text${named} x="${x}" y="${y}">${escapeXml(content)}</text>`
}

/** Lines of the grid: 0, and two to five more at round numbers. */
function gridValues(top: number): number[] {
  const step = niceStep(top)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
}

function niceStep(top: number): number {
  const power = 10 ** Math.floor(Math.log10(top))
  const fitting = [power / 5, power / 2, power, power * 2].find((step) => top / step <= 5)
  return Math.max(1, Math.ceil(fitting ?? power))
}

function niceTop(peak: number): number {
  const step = niceStep(peak)
  return Math.ceil(peak / step) * step
}

const round = (value: number): number => Math.round(value * 100) / 100
