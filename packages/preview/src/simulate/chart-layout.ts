import { counted, grouped } from '@kron/runtime'
import { formatLocal } from '../local-time/index.js'
import type { Series } from './series.js'
import { unitOf } from './simulate-text.js'
import type { Simulation } from './simulation.js'
import { type Axis, axisOf, bucketsPerColumn } from './time-axis.js'

const width = 960
const left = 56
const right = 24
const maxColumns = 440

/** Where everything is in a picture, whatever it is drawn with. */
export const chartLayout = {
  width,
  left,
  right,
  margin: 24,
  plotWidth: width - left - right,
  titleBaseline: 34,
  subtitleBaseline: 56,
  legendTop: 72,
  legendBaseline: 82,
  legendSize: 12,
  legendGap: 6,
  legendApart: 360,
  panelTop: 104,
  panelHeight: 140,
  panelGap: 36,
  /** Below the lower panel, for the time axis. */
  foot: 64,
} as const

export function titleOf({ bucketMs }: Simulation): string {
  return `Job starts in ${unitOf(bucketMs)}, without and with windows`
}

export function subtitleOf({ jobs, from, until, zone }: Simulation): string {
  const stretch = `${formatLocal(from, zone)} to ${formatLocal(until, zone)}`
  return `${counted(jobs, 'job')}, ${stretch}, ${zone.name}`
}

export function seriesText({ peak, total }: Series): string {
  return `peak ${grouped(peak)}, ${grouped(total)} in all`
}

/** Buckets of each column of a picture. */
export function columnBuckets({ buckets, bucketMs }: Simulation): number {
  return bucketsPerColumn(buckets, bucketMs, maxColumns)
}

/** The marks of the time axis, and how far columns are apart. */
export function timeAxisOf(simulation: Simulation): { axis: Axis; step: number } {
  const { buckets, bucketMs, from, zone } = simulation
  const perColumn = columnBuckets(simulation)
  const columns = Math.ceil(buckets / perColumn)
  const step = chartLayout.plotWidth / columns
  const axis = axisOf(from, perColumn * bucketMs, columns, Math.ceil(64 / step), zone)
  return { axis, step }
}

/** How wide a bar is where columns are `step` apart. */
export const barWidth = (step: number): number => Math.max(0.5, step > 3 ? step - 1 : step)

/** What stands below the marks of the time axis, and how far below. */
export function axisNote({ zone }: Simulation): { text: string; below: number } {
  if (zone.name === 'UTC') return { text: 'UTC', below: 38 }
  return { text: `${zone.name} above, UTC below`, below: 56 }
}

/** The value at the top of both panels. */
export function topOf({ before, after }: Simulation): number {
  const peak = Math.max(before.peak, after.peak, 1)
  const step = niceStep(peak)
  return Math.ceil(peak / step) * step
}

/** Lines of the grid: 0, and two to five more at round numbers. */
export function gridValues(top: number): number[] {
  const step = niceStep(top)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
}

function niceStep(top: number): number {
  const power = 10 ** Math.floor(Math.log10(top))
  const fitting = [power / 5, power / 2, power, power * 2].find((step) => top / step <= 5)
  return Math.max(1, Math.ceil(fitting ?? power))
}
