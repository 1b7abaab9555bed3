import type { ExitStatus, Processes, Release, StartRequest } from '../processes.js'

export interface JobReport {
  readonly release: Release
  readonly exit: ExitStatus
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly pid: number
}

/** Prepares, releases and awaits one job. */
export async function runToEnd(processes: Processes, start: StartRequest): Promise<JobReport> {
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const gate = await processes.prepare({
    ...start,
    onLine: (stream, line) => void lines[stream].push(line),
  })
  const release = await gate.release()
  const exit = await gate.exited
  return { release, exit, ...lines, pid: gate.process.pid }
}
