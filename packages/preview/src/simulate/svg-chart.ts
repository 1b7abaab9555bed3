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
} from './chart-layout.js'
import { peaksOf, type Series } from './series.js'
import type { Simulation } from './simulation.js'
import { tickText } from './time-axis.js'

/** Light, unless dark is preferred where it is shown. */
const svgStyle = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}',
  '.heading{font-size:18px;font-weight:600}',
  '.quiet{fill:#59636e;font-size:12px}',
  '.middle{text-anchor:middle}',
  '.end{text-anchor:end}',
  '.page{fill:#ffffff}',
  '.grid{stroke:#d1d9e0;stroke-dasharray:2 3;fill:none}',
  '.base{stroke:#59636e;fill:none}',
  '.before{fill:#c4500a}',
  '.after{fill:#0b62c1}',
  '@media (prefers-color-scheme:dark){',
  'text{fill:#e6edf3}.quiet{fill:#9198a1}.page{fill:#0d1117}',
  '.grid{stroke:#3d444d}.base{stroke:#9198a1}',
  '.before{fill:#f0883e}.after{fill:#58a6ff}}',
].join('')

const { width, left, right, margin, panelTop, panelHeight, panelGap, plotWidth } = chartLayout

/** A self-contained picture: both series on the same scale, one above the other. */
export function svgChart(simulation: Simulation): string {
  const { before, after } = simulation
  const top = topOf(simulation)
  const lower = panelTop + panelHeight + panelGap
  const bottom = lower + panelHeight
  const height = bottom + chartLayout.foot
  const title = titleOf(simulation)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" role="img" aria-labelledby="chart-title chart-desc">`,
    `<title id="chart-title">${escapeXml(title)}</title>`,
    `<desc id="chart-desc">${escapeXml(description(simulation))}</desc>`,
    `<style>${svgStyle}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    text(margin, chartLayout.titleBaseline, title, 'heading'),
    text(margin, chartLayout.subtitleBaseline, subtitleOf(simulation), 'quiet'),
    legend('before', margin, `without windows: ${seriesText(before)}`),
    legend('after', margin + chartLayout.legendApart, `with windows: ${seriesText(after)}`),
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
    `${subtitleOf(simulation)}. Without windows ${seriesText(before)}; ` +
    `with windows ${seriesText(after)}.`
  )
}

function legend(name: string, x: number, content: string): string {
  const { legendTop, legendBaseline, legendSize, legendGap } = chartLayout
  const box = `x="${x}" y="${legendTop}" width="${legendSize}" height="${legendSize}" rx="2"`
  const label = text(x + legendSize + legendGap, legendBaseline, content, '')
  return `<rect class="${name}" ${box}/>${label}`
}

function panel(
  simulation: Simulation,
  series: Series,
  name: string,
  y: number,
  top: number,
): string {
  const columns = peaksOf(series.counts, columnBuckets(simulation))
  const step = plotWidth / columns.length
  const bar = barWidth(step)
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

function timeAxis(simulation: Simulation, bottom: number): string[] {
  const { zone } = simulation
  const { axis, step } = timeAxisOf(simulation)
  const inUtc = zone.name === 'UTC'
  const marks = axis.ticks.flatMap((tick) => {
    const x = round(left + tick.column * step)
    const mark = `<path class="base" d="M${x} ${bottom}v5"/>`
    const local = text(x, bottom + 20, tickText(tick, axis, zone), 'middle')
    const second = inUtc ? [] : [text(x, bottom + 38, tickText(tick, axis, utc), 'quiet middle')]
    return [mark + local, ...second]
  })
  const note = axisNote(simulation)
  return [...marks, text(width - right, bottom + note.below, note.text, 'quiet end')]
}

function text(x: number, y: number, content: string, classes: string): string {
  const named = classes === '' ? '' : ` class="${classes}"`
  return `<text${named} x="${x}" y="${y}">${escapeXml(content)}</text>`
}

const round = (value: number): number => Math.round(value * 100) / 100

export function escapeXml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
