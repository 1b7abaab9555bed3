import type { Zone } from '@kron/core'
import { grouped, padStart } from '@kron/runtime'
import { peaksOf } from './series.js'
import { axisOf, bucketsPerColumn, tickText } from './time-axis.js'

const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A chart has this many rows of blocks. */
export const chartRows = 6

export interface ChartFrame {
  readonly from: number
  readonly bucketMs: number
  readonly buckets: number
  /** The count at full height. */
  readonly top: number
  /** Cells for everything, the labels included. */
  readonly width: number
  readonly zone: Zone
}

/** How wide the labels and the axis left of the columns are. */
const gutterOf = (top: number): number => grouped(top).length + 2

export function columnSpan({ buckets, bucketMs, width, top }: ChartFrame): number {
  return bucketsPerColumn(buckets, bucketMs, Math.max(10, width - gutterOf(top)))
}

/** Rows of blocks, each column as high as its busiest bucket; `paint` colours the blocks. */
export function chartLines(
  frame: ChartFrame,
  counts: Uint32Array,
  paint: (text: string) => string,
): string[] {
  const { top } = frame
  const heights = peaksOf(counts, columnSpan(frame)).map((peak) => heightOf(peak, top))
  const labels = labelWidth(top)
  const lines: string[] = []
  for (let row = chartRows - 1; row >= 0; row--) {
    const blocks = heights.map((height) => blockAt(height, row)).join('')
    const label = row === chartRows - 1 ? grouped(top) : ''
    const edge = row === chartRows - 1 ? '┤' : '│'
    lines.push(`${padStart(label, labels)} ${edge}${paint(blocks.trimEnd())}`)
  }
  return lines
}

const labelWidth = (top: number): number => gutterOf(top) - 2

/** In eighths of a row. Whatever starts at all is seen. */
function heightOf(count: number, top: number): number {
  if (count === 0 || top === 0) return 0
  return Math.max(1, Math.round((count / top) * chartRows * 8))
}

function blockAt(height: number, row: number): string {
  const inRow = Math.min(8, Math.max(0, height - row * 8))
  return inRow === 0 ? ' ' : eighths[inRow]!
}

/** The line with the marks, and the line with their times. */
export function axisLines(frame: ChartFrame): string[] {
  const { from, bucketMs, buckets, top, zone } = frame
  const perColumn = columnSpan(frame)
  const columns = Math.ceil(buckets / perColumn)
  const axis = axisOf(from, perColumn * bucketMs, columns, 8, zone)
  const marks = new Set(axis.ticks.map(({ column }) => column))
  const line = Array.from({ length: columns }, (_, column) => (marks.has(column) ? '┬' : '─'))
  const room = Math.max(columns, frame.width - gutterOf(top))
  let times = ''
  for (const tick of axis.ticks) {
    const text = tickText(tick, axis, zone)
    if (tick.column + text.length > room) break
    times = times.padEnd(tick.column) + text
  }
  const labels = labelWidth(top)
  return [`${padStart('0', labels)} ┼${line.join('')}`, `${' '.repeat(labels + 2)}${times}`]
}
