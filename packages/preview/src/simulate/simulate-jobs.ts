import {
  badArgument,
  type Invocation,
  instantArgument,
  secondsArgument,
  zoneArgument,
} from '@kron/command'
import { type Job, utc, type Zone, zone as zoneNamed } from '@kron/core'
import { grouped, ProgressLine } from '@kron/runtime'
import type { Notation } from '../notation.js'
import { countStarts, maxStarts, type StartCounts } from './count-starts.js'
import { simulateText } from './simulate-text.js'
import { type Simulation, simulationJson, simulationOf } from './simulation.js'
import { svgChart } from './svg-chart.js'

export interface SimulateOptions {
  readonly from?: string
  readonly for: string
  readonly bucket: string
  readonly timezone?: string
  readonly out?: string
}

const longestMs = 366 * 86_400_000
export const maxBuckets = 1_000_000

/** What is to be counted, and how it is to be shown. */
export interface SimulationRequest {
  /** When it begins, in the zone of a date without a time. */
  readonly from: (zone: Zone) => number
  readonly buckets: number
  readonly bucketMs: number
  /** The zone of all jobs, or UTC, if there is none. */
  readonly zone: Zone | undefined
  readonly chart: { readonly file: string; readonly draw: Drawing } | null
}

/** What `[--from <time>] [--for 24h] [--bucket 1m] [--timezone <zone>] [--out chart.svg]` asks for. */
export function simulationRequest(
  invocation: Invocation,
  options: SimulateOptions,
): SimulationRequest {
  const stretch = stretchOf(invocation, options)
  const { out, timezone } = options
  const chart = out === undefined ? null : { file: out, draw: drawingFor(out) }
  return {
    ...stretch,
    chart,
    zone: timezone === undefined ? undefined : zoneArgument('--timezone', timezone),
  }
}

/** How many jobs start in each step of a time, with and without windows. */
export function simulateJobs(
  invocation: Invocation,
  all: readonly Job[],
  request: SimulationRequest,
  notation: Notation,
): void {
  const { chart } = request
  const jobs = all.filter((job) => !job.policy.suspend)
  const zone = request.zone ?? commonZone(jobs)
  const counts = count(invocation, jobs, { ...request, from: request.from(zone) }, notation)
  const tally = {
    jobs: jobs.length,
    withWindow: jobs.filter((job) => job.spec.window.duration > 0).length,
    suspended: all.length - jobs.length,
  }
  const simulation = simulationOf(counts, tally, zone)
  print(invocation, simulation, notation)
  if (chart === null) return
  const path = invocation.writeFile(chart.file, chart.draw(simulation))
  if (invocation.format === 'text') invocation.printLines(['', `wrote ${invocation.shown(path)}`])
}

type Drawing = (simulation: Simulation) => string

function drawingFor(out: string): Drawing {
  if (out.toLowerCase().endsWith('.svg')) return svgChart
  const message = `--out must be the name of an .svg file, got ${JSON.stringify(out)}`
  throw badArgument('--out', message)
}

function stretchOf(
  invocation: Invocation,
  options: SimulateOptions,
): Pick<SimulationRequest, 'from' | 'buckets' | 'bucketMs'> {
  const bucketMs = secondsArgument('--bucket', options.bucket, 1_000, longestMs)
  const duration = secondsArgument('--for', options.for, 1_000, longestMs)
  const buckets = Math.ceil(duration / bucketMs)
  if (buckets > maxBuckets) {
    const most = grouped(maxBuckets)
    throw badArgument('--bucket', `--for has ${grouped(buckets)} times --bucket, at most ${most}`)
  }
  const unit = Math.min(bucketMs, 60_000)
  const from = (zone: Zone): number => {
    const { now } = invocation
    const at = options.from === undefined ? now : instantArgument('--from', options.from, zone)
    return Math.floor(at / unit) * unit
  }
  // What is wrong in any zone is said before anybody looks for jobs.
  from(utc)
  return { from, buckets, bucketMs }
}

/** The zone that all jobs share, else UTC. */
function commonZone(jobs: readonly Job[]): Zone {
  const names = new Set(jobs.map((job) => job.spec.timezone))
  const [only] = names
  return zoneNamed(names.size === 1 && only !== undefined ? only : 'UTC')
}

function count(
  { host, quiet }: Invocation,
  jobs: readonly Job[],
  { from, buckets, bucketMs }: { from: number; buckets: number; bucketMs: number },
  { fewerJobs }: Notation,
): StartCounts {
  const now = (): number => host.clock.now().getTime()
  const progress = new ProgressLine(host.stderr, now, (done) => simulatedText(done, jobs.length))
  const onProgress = quiet ? () => undefined : (done: number) => progress.update(done)
  const counts = countStarts({ jobs, from, buckets, bucketMs, onProgress })
  progress.end()
  if (counts !== null) return counts
  throw badArgument(
    '--for',
    `more than ${grouped(maxStarts)} starts in that time`,
    `hint: make --for shorter, or simulate ${fewerJobs}`,
  )
}

function simulatedText(done: number, all: number): string {
  const share = Math.floor((done / all) * 100)
  return `simulating: ${grouped(done)} of ${grouped(all)} jobs, ${share}%`
}

function print(invocation: Invocation, simulation: Simulation, notation: Notation): void {
  if (invocation.format === 'json') invocation.printJson(simulationJson(simulation))
  else {
    const { host, style } = invocation
    invocation.printLines(simulateText(simulation, host.stdout.columns, notation, style))
  }
}
