import { formatDuration } from '@kron/core'
import { counted, grouped, padEnd, padStart, type Style, type Tone } from '@kron/runtime'
import { formatLocal, wallClock, wallDate, wallMinute, wallTime } from '../local-time/index.js'
import type { Notation } from '../notation.js'
import { busiest, type Series } from './series.js'
import { bucketStart, type Simulation } from './simulation.js'
import { axisLines, type ChartFrame, chartLines, columnSpan } from './terminal-chart.js'

const busiestShown = 5

export function simulateText(
  simulation: Simulation,
  columns: number,
  notation: Notation,
  style: Style,
): string[] {
  const { from, bucketMs, buckets, zone, before, after } = simulation
  const top = Math.max(before.peak, after.peak, 1)
  const frame: ChartFrame = { from, bucketMs, buckets, top, width: columns, zone }
  const chart = (title: string, series: Series, tone: Tone): string[] => [
    '',
    `${style('strong', padEnd(title, 16))}  ${statistics(simulation, series)}`,
    ...chartLines(frame, series.counts, (text) => style(tone, text)),
  ]
  return [
    ...headLines(simulation),
    ...chart('without windows', before, 'before'),
    ...axisLines(frame),
    ...chart('with windows', after, 'after'),
    ...axisLines(frame),
    style('faint', columnNote(frame)),
    '',
    ...busiestLines(simulation, style),
    ...verdictLines(simulation, notation, style),
  ]
}

function headLines(simulation: Simulation): string[] {
  const { jobs, withWindow, suspended, from, until, zone, bucketMs } = simulation
  const left = suspended === 0 ? '' : `, ${suspended} suspended and left out`
  return [
    `${counted(jobs, 'job')}, ${grouped(withWindow)} with a window${left}; ` +
      `starts in ${unitOf(bucketMs)}`,
    `${formatLocal(from, zone)} to ${formatLocal(until, zone)}, ${zone.name}`,
  ]
}

/** `each minute`, `each 5m`. */
export function unitOf(bucketMs: number): string {
  if (bucketMs === 60_000) return 'each minute'
  if (bucketMs === 3_600_000) return 'each hour'
  return bucketMs === 1_000 ? 'each second' : `each ${formatDuration(bucketMs)}`
}

function statistics(simulation: Simulation, series: Series): string {
  if (series.total === 0) return 'nothing starts'
  const at = timeText(simulation, series.peakAt)
  const mean = series.mean >= 10 ? grouped(Math.round(series.mean)) : series.mean.toPrecision(2)
  return `peak ${grouped(series.peak)} at ${at}, mean ${mean}, ${grouped(series.total)} in all`
}

function timeText(simulation: Simulation, index: number): string {
  const wall = wallTime(bucketStart(simulation, index), simulation.zone)
  const clock = simulation.bucketMs % 60_000 === 0 ? wallMinute(wall) : wallClock(wall)
  const severalDays = simulation.until - simulation.from > 86_400_000
  return severalDays ? `${wallDate(wall)} ${clock}` : clock
}

function columnNote(frame: ChartFrame): string {
  const perColumn = columnSpan(frame)
  if (perColumn === 1) return `a column is ${formatDuration(frame.bucketMs)}`
  const span = formatDuration(perColumn * frame.bucketMs)
  const bucket = unitOf(frame.bucketMs).replace('each ', '')
  return `a column is ${span}, as high as its busiest ${bucket}`
}

function busiestLines(simulation: Simulation, style: Style): string[] {
  const lists = [simulation.before, simulation.after].map((series) =>
    busiest(series, busiestShown).map(
      ({ index, count }) => `${timeText(simulation, index)}  ${padStart(grouped(count), 6)}`,
    ),
  )
  const [before = [], after = []] = lists
  const width = Math.max('without windows'.length, ...before.map((text) => text.length)) + 4
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, row) =>
    `${padEnd(before[row] ?? '', width)}${after[row] ?? ''}`.trimEnd(),
  )
  const unit = unitOf(simulation.bucketMs).replace('each ', '')
  const title = unit.startsWith('minute') || unit.startsWith('hour') ? `${unit}s` : 'times'
  return [
    style('strong', `busiest ${title}`),
    style('faint', `${padEnd('without windows', width)}with windows`),
    ...rows,
  ]
}

function verdictLines(simulation: Simulation, { check, window }: Notation, style: Style): string[] {
  const { before, after, jobs, withWindow, unschedulable } = simulation
  const lines: string[] = []
  if (before.peak > after.peak && after.peak > 0) {
    const factor = before.peak / after.peak
    const times = factor >= 10 ? Math.round(factor) : Number(factor.toFixed(1))
    const text = `windows bring the peak from ${grouped(before.peak)} to ${grouped(after.peak)}`
    lines.push(style('good', `${text}, ${times} times lower`))
  }
  const bare = jobs - withWindow
  if (bare > 0 && before.peak > 1) {
    const have = bare === 1 ? 'has' : 'have'
    lines.push(`${counted(bare, 'job')} ${have} no window yet: add one such as ${window('30m')}`)
  }
  if (unschedulable > 0) {
    const text = `${counted(unschedulable, 'period')} unschedulable: ${check} says which`
    lines.push(style('warning', text))
  }
  return lines.length === 0 ? [] : ['', ...lines]
}
