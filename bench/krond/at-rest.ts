import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Daemon, homeWith } from './daemon.ts'

export interface AtRest {
  readonly jobs: number
  /** From the start of the process until it is ready, in an empty state folder. */
  readonly firstReadyMs: number
  /** The same with a state file for each job. */
  readonly readyMs: number
  readonly residentMb: number
  readonly processorPercent: number
}

/** Jobs that are due on one day of the year, which is not today. */
function yearlyJobs(count: number): string[] {
  const month = ((new Date().getUTCMonth() + 6) % 12) + 1
  return Array.from({ length: count }, (_, number) => {
    const time = `${number % 60} ${number % 24} ${(number % 28) + 1} ${month} *`
    return `${time} name=job-${number} command=/bin/true`
  })
}

export async function measureAtRest(jobs: number, restSeconds: number): Promise<AtRest> {
  const home = homeWith(yearlyJobs(jobs))
  const listen = ['--listen', '127.0.0.1:0']
  try {
    const first = new Daemon(home, listen)
    await first.until(({ event }) => event === 'listening')
    const firstReadyMs = performance.now() - first.startedAt
    // Each job is seen for the first time, which is written once. Its state file says so, and not
    // the log: a log that nobody reads fast enough drops lines.
    while (stateFiles(home.state) < jobs) await wait(200)
    await first.stop()
    const daemon = new Daemon(home, listen)
    await daemon.until(({ event }) => event === 'listening')
    const readyMs = performance.now() - daemon.startedAt
    await wait(25_000)
    const before = daemon.processorTicks()
    await wait(restSeconds * 1000)
    const ticks = daemon.processorTicks() - before
    const residentMb = daemon.residentKb() / 1024
    await daemon.stop()
    return { jobs, firstReadyMs, readyMs, residentMb, processorPercent: ticks / restSeconds }
  } finally {
    home.remove()
  }
}

const stateFiles = (folder: string): number =>
  readdirSync(folder).filter((name) => name.endsWith('.json')).length

/** Resident megabytes of Debian's cron, if it is installed and we may start it. */
export async function cronResidentMb(): Promise<number | string> {
  if (!existsSync('/usr/sbin/cron')) return 'not installed here'
  if (process.getuid?.() !== 0) return 'can be started by root only'
  if (spawnSync('pgrep', ['-x', 'cron']).status === 0) return 'runs already, and is left alone'
  const cron = spawn('/usr/sbin/cron', ['-f'], { stdio: 'ignore' })
  try {
    await wait(3000)
    const status = readFileSync(`/proc/${cron.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024
  } finally {
    cron.kill()
  }
}
