import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../krond/scratch-folder.ts'
import { databaseName } from './contenders/database-name.ts'
import { type Contender, sqliteName, versionOfContender } from './contenders/index.ts'
import type { Outcome } from './measurement.ts'
import { boundaryAfter, boundaryAlone, boundaryAndRest, type Plan } from './plan.ts'
import { measureInProcess } from './process.ts'
import type { ContenderResult } from './results.ts'
import { longestAheadMs } from './workload.ts'

export interface Size {
  readonly tasks: number
  readonly dueTasks: number
  readonly expressions: number
}

export const maxDueTasks = 100_000

/** Loading, preparing the tasks, collecting garbage three times. */
const preparationMs = ({ tasks }: Size): number => 5000 + tasks * 0.01

export interface Expectation {
  readonly registerMs: number
  readonly lastMs: number
}

/** From a run with fewer tasks, with room for the machine's moods; the first time by a guess. */
export function expectationFor({ tasks }: Size, smaller: ContenderResult | undefined): Expectation {
  if (smaller?.outcome.kind !== 'measured') return { registerMs: tasks * 0.1, lastMs: 0 }
  const { registerMs, lateness } = smaller.outcome.figures
  const factor = (tasks / smaller.tasks) * 1.5
  return { registerMs: registerMs * factor, lastMs: lateness.lastMs * factor }
}

export async function measureContender(
  contender: Contender,
  size: Size,
  expected: Expectation,
  quick: boolean,
): Promise<ContenderResult> {
  const folder = scratchFolder()
  const entry = {
    contender: contender.name,
    version: versionOfContender(contender),
    tasks: size.tasks,
    dueTasks: size.dueTasks,
  }
  const planFor = (registerMs: number): Plan => {
    const aheadMs = Math.min(longestAheadMs, registerMs + preparationMs(size))
    const first = boundaryAfter(Date.now(), aheadMs)
    const times = quick ? boundaryAlone(first) : boundaryAndRest(first, expected.lastMs)
    // Of its own, since a try that came too late leaves its state behind.
    const ownFolder = mkdtempSync(join(folder, 'try-'))
    return { contender: contender.name, ...size, ...times, isRestart: false, folder: ownFolder }
  }
  try {
    let plan = planFor(expected.registerMs)
    let outcome = await measureInProcess(plan)
    if (outcome.kind === 'too late') {
      plan = planFor(outcome.registerMs * 1.5)
      outcome = await measureInProcess(plan)
    }
    if (contender.name !== sqliteName) return { ...entry, outcome }
    return { ...entry, outcome, ...(await afterRestart(plan)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same tasks and expressions, so that nothing has changed but the process. */
async function afterRestart(plan: Plan): Promise<{ restart: Outcome; databaseBytes: number }> {
  const restart = await measureInProcess({ ...plan, isRestart: true })
  const { size } = statSync(join(plan.folder, databaseName), { throwIfNoEntry: false }) ?? {
    size: 0,
  }
  return { restart, databaseBytes: size }
}
