import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome, Registered, Report } from './measurement.ts'
import type { Plan } from './plan.ts'

export const heapLimitMb = 6144
const limitSeconds = 180

/** Runs the plan in a process of its own, which is killed when it takes too long. */
export async function measureInProcess(plan: Plan): Promise<Outcome> {
  const complaints = join(plan.folder, `${plan.isRestart ? 'restart' : 'first'}.log`)
  const complaintsFile = openSync(complaints, 'w')
  const child = fork(
    fileURLToPath(new URL('contender.ts', import.meta.url)),
    [JSON.stringify(plan)],
    {
      execArgv: ['--expose-gc', `--max-old-space-size=${heapLimitMb}`],
      // In UTC every peer is at its fastest, and the minutes are those of the plan.
      env: { ...process.env, TZ: 'UTC' },
      stdio: ['ignore', 'ignore', complaintsFile, 'ipc'],
    },
  )
  closeSync(complaintsFile)
  return outcomeOf(child, plan, () => readFileSync(complaints, 'utf8'))
}

function outcomeOf(child: ChildProcess, plan: Plan, complaints: () => string): Promise<Outcome> {
  let outcome: Outcome | undefined
  let registered: Registered | undefined
  let limit: NodeJS.Timeout | undefined
  const allow = (ms: number, reason: string): void => {
    clearTimeout(limit)
    limit = setTimeout(() => {
      outcome ??= { kind: 'failed', reason }
      child.kill('SIGKILL')
    }, ms)
  }
  child.on('message', (report: Report) => {
    if (report.kind === 'registering') {
      allow(limitSeconds * 1000, `over ${limitSeconds} s to register`)
    } else if (report.kind === 'registered') {
      registered = report
      const restsUntil = plan.rest?.until ?? plan.boundary
      allow(
        Math.max(0, restsUntil - Date.now()) + (limitSeconds + 10) * 1000,
        `over ${limitSeconds} s to start all`,
      )
    } else if (report.kind === 'measured') {
      outcome = { kind: 'measured', figures: report }
      allow(limitSeconds * 1000, 'unused: it was measured')
    } else outcome = report
  })
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      if (outcome !== undefined) resolve(outcome)
      else if (code === 0 && registered) resolve({ kind: 'registered', figures: registered })
      else resolve({ kind: 'failed', reason: reasonOf(code, signal, complaints()) })
    })
  })
}

function reasonOf(code: number | null, signal: string | null, complaints: string): string {
  if (complaints.includes('heap out of memory')) return `out of ${heapLimitMb / 1024} GB`
  const error = /^\s*\w*Error\b.*$/m.exec(complaints)?.[0].trim()
  return error ?? `ended with ${signal ?? code}`
}
