/**
 * The real daemon, with real files and processes, that kills itself at a given point. Its clock
 * runs fast. Arguments: a JSON text of `MortalOptions`.
 */

import { writeSync } from 'node:fs'
import { createLog } from '@kron/runtime'
import { mortalProcesses } from '../../../../simulation/krond/mortal-ports.ts'
import { processHost } from '../../dist/cli/process-host.js'
import { runDaemon } from '../../dist/start/daemon-process.js'
import { systemPorts } from '../../dist/start/start-command.js'
import { passingDisk } from '../../testing/disk/passing-disk.ts'
import { type CrashPoint, deadlyPassage } from './crash-point.ts'
import { fastClock } from './fast-clock.ts'

export interface MortalOptions {
  readonly krontab: string
  readonly state: string
  readonly since: number
  readonly factor: number
  readonly point: CrashPoint | null
}

const options = JSON.parse(process.argv[2]!) as MortalOptions
const settings = {
  krontabs: [options.krontab],
  crontabs: [],
  state: options.state,
  strict: true,
  kill: true,
  listen: null,
  logFormat: 'json',
  logLevel: 'info',
  maxRunning: 256,
  graceMs: 30_000,
  historyLength: 5,
} as const
const clock = fastClock(options.since, options.factor)
const passage = deadlyPassage(options.point)
const ports = systemPorts(settings, processHost())
const log = createLog({
  format: 'json',
  level: 'info',
  component: 'krond',
  clock,
  write: writeLine,
})
process.exitCode = await runDaemon(settings, {
  ...ports,
  clock,
  log,
  disk: passingDisk(ports.disk, passage),
  processes: mortalProcesses(ports.processes, passage),
})
process.exit()

/** At once and whole: what was logged before a death must be there, however slow the reader is. */
function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}
