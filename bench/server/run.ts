import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type PostgresServer, startPostgres } from '../../tools/postgres/index.ts'
import { command } from '../command.ts'
import { scratchFolder } from '../krond/scratch-folder.ts'
import { thisMachine } from '../machine.ts'
import { noise, recordReferenceLoop } from '../noise.ts'
import { milliseconds } from '../scheduler/report/figures.ts'
import { Lane } from './lane.ts'
import type { Surface } from './measure.ts'
import { helpText, type Options, readOptions } from './options.ts'
import { renderServer } from './report.ts'
import type { ContenderResult, Results } from './results.ts'
import { TargetProcess } from './target-process.ts'

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Of a turn: a process that has waited for the others runs slow code, as one that has just begun. */
const warmUps = 3
const roundsOfATurn = 2

function recordNoise(): void {
  for (let loop = 0; loop < 100; loop++) recordReferenceLoop()
}

/** On the disk of the repository, unless the account of the server can't go there. */
async function startServer(cache: string): Promise<PostgresServer> {
  try {
    return await startPostgres({ parentFolder: cache })
  } catch {
    return startPostgres()
  }
}

/** Everybody has a turn, then another: who is measured while the machine is slow changes. */
async function measureLanes(
  lanes: readonly Lane[],
  surface: Surface,
  { count, rounds }: Options,
): Promise<void> {
  const jobLanes = lanes.filter(({ entry }) => !entry.isCron)
  for (let from = 1; from <= rounds; from += roundsOfATurn) {
    const to = Math.min(from + roundsOfATurn - 1, rounds)
    for (const lane of jobLanes) {
      for (let number = 0; number < warmUps; number++) await lane.warmUp(surface, count)
      for (let number = from; number <= to; number++) await measure(lane, number, surface, count)
    }
  }
  for (const lane of lanes.filter(({ entry }) => entry.isCron)) {
    await measure(lane, 1, surface, count)
    lane.stop()
  }
}

async function measure(lane: Lane, number: number, surface: Surface, count: number): Promise<void> {
  recordNoise()
  const round = await lane.round(surface, count)
  const last = round === null ? 'failed' : milliseconds(round.lastLatenessMs)
  say(`round ${number}, ${lane.entry.name}: ${last}`)
}

async function measureAll(options: Options): Promise<ContenderResult[]> {
  const folder = scratchFolder()
  const server = await startServer(dirname(folder))
  const { target, url } = await TargetProcess.start()
  const lanes = options.only.map((entry) => new Lane(entry))
  try {
    for (const lane of lanes) await lane.start(server, folder)
    await measureLanes(lanes, { target, targetUrl: url }, options)
    return lanes.map((lane) => lane.result(options.count))
  } finally {
    for (const lane of lanes) lane.stop()
    target.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(options: Options): Promise<Results> {
  const entries = await measureAll(options)
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: thisMachine(),
    noise: noise(),
    quick: options.quick,
    entries,
  }
}

await command({
  helpText,
  readOptions,
  run,
  render: renderServer,
  readme: new URL('README.md', import.meta.url),
})
