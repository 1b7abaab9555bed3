import { type Job, KronError, type Zone, zone as zoneNamed } from '@kron/core'
import { grouped, ProgressLine } from '@kron/runtime'
import { badArgument, durationArgument, instantArgument } from '../cli/argument.js'
import { type ExitCode, exitCodes } from '../cli/exit-code.js'
import type { Invocation } from '../cli/invocation.js'
import { mentionProblems } from '../cli/job-selection.js'
import { selectKrontabs } from '../cli/krontab-selection.js'
import { pngChart } from '../png/index.js'
import { countStarts, mostStarts, type StartCounts } from './count-starts.js'
import { simulateText } from './simulate-text.js'
import { type Simulation, simulationJson, simulationOf } from './simulation.js'
import { svgChart } from './svg-chart.js'

export interface SimulateOptions {
  readonly from?: string
  readonly for: string
  readonly bucket: string
  readonly tz?: string
  readonly out?: string
}

const longestMs = 366 * 86_400_000
export const mostBuckets = 1_000_000

/** `krontab simulate [--from <time>] [--for 24h] [--bucket 1m] [--out chart.svg]`. */
export function simulateCommand(invocation: Invocation, options: SimulateOptions): ExitCode {
  const { from, buckets, bucketMs } = stretchOf(invocation, options)
  const { out } = options
  const draw = out === undefined ? null : drawingFor(out)
  const wantedZone = options.tz === undefined ? undefined : zoneArgument(options.tz)
  const files = selectKrontabs(invocation)
  const all = files.flatMap((file) => file.jobs.map((entry) => entry.job))
  const jobs = all.filter((job) => !job.policy.suspend)
  const counts = count(invocation, jobs, from, buckets, bucketMs)
  const tally = {
    jobs: jobs.length,
    withWindow: jobs.filter((job) => job.spec.window.duration > 0).length,
    suspended: all.length - jobs.length,
  }
  const simulation = simulationOf(counts, tally, wantedZone ?? commonZone(jobs))
  print(invocation, simulation)
  if (out !== undefined && draw !== null) writeChart(invocation, out, draw(simulation))
  const problems = mentionProblems(invocation, files)
  return problems > 0 ? exitCodes.configuration : exitCodes.success
}

type Drawing = (simulation: Simulation) => string | Uint8Array

function drawingFor(out: string): Drawing {
  const name = out.toLowerCase()
  if (name.endsWith('.svg')) return svgChart
  if (name.endsWith('.png')) return pngChart
  const message = `--out must be the name of an .svg or .png file, got ${JSON.stringify(out)}`
  throw badArgument('--out', message)
}

function stretchOf(
  invocation: Invocation,
  options: SimulateOptions,
): { from: number; buckets: number; bucketMs: number } {
  const bucketMs = durationArgument('--bucket', options.bucket, 1_000, longestMs)
  const duration = durationArgument('--for', options.for, 1_000, longestMs)
  const buckets = Math.ceil(duration / bucketMs)
  if (buckets > mostBuckets) {
    const most = grouped(mostBuckets)
    throw badArgument('--bucket', `--for has ${grouped(buckets)} times --bucket, at most ${most}`)
  }
  const at = options.from === undefined ? invocation.now : instantArgument('--from', options.from)
  const unit = Math.min(bucketMs, 60_000)
  return { from: Math.floor(at / unit) * unit, buckets, bucketMs }
}

function zoneArgument(name: string): Zone {
  try {
    return zoneNamed(name)
  } catch (error) {
    throw error instanceof KronError ? badArgument('--tz', `--tz: ${error.message}`) : error
  }
}

/** The zone that all jobs share, else UTC. */
function commonZone(jobs: readonly Job[]): Zone {
  const names = new Set(jobs.map((job) => job.spec.timezone))
  const [only] = names
  return zoneNamed(names.size === 1 && only !== undefined ? only : 'UTC')
}

function count(
  { host }: Invocation,
  jobs: readonly Job[],
  from: number,
  buckets: number,
  bucketMs: number,
): StartCounts {
  const now = (): number => host.clock.now().getTime()
  const progress = new ProgressLine(host.stderr, now, (done) => simulatedText(done, jobs.length))
  const onProgress = (done: number): void => progress.update(done)
  const counts = countStarts({ jobs, from, buckets, bucketMs, onProgress })
  progress.end()
  if (counts !== null) return counts
  throw badArgument(
    '--for',
    `more than ${grouped(mostStarts)} starts in that time`,
    'hint: make --for shorter, or simulate fewer files with --file',
  )
}

function simulatedText(done: number, all: number): string {
  const share = Math.floor((done / all) * 100)
  return `simulating: ${grouped(done)} of ${grouped(all)} jobs, ${share}%`
}

function print(invocation: Invocation, simulation: Simulation): void {
  if (invocation.format === 'json') invocation.printJson(simulationJson(simulation))
  else {
    const { host, style } = invocation
    invocation.printLines(simulateText(simulation, host.stdout.columns, style))
  }
}

function writeChart(invocation: Invocation, out: string, chart: string | Uint8Array): void {
  const path = invocation.absolute(out)
  try {
    invocation.host.writeFile(path, chart)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    throw badArgument('--out', `can't write ${JSON.stringify(out)}: ${reason}`)
  }
  if (invocation.format === 'text') invocation.printLines(['', `wrote ${invocation.shown(path)}`])
}
