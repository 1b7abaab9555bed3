import { setTimeout as wait } from 'node:timers/promises'
import { contenders } from './contenders/index.ts'
import type { Lateness, Measured, Registered, Report } from './measurement.ts'
import type { Plan } from './plan.ts'
import { othersShare, ownShare, usageNow } from './usage.ts'
import { isTooLateFor, prepareStarts, prepareTasks, type Starts } from './workload.ts'

/** After the boundary nobody waits longer than this for the starts that are missing. */
const patienceMs = 180_000

const plan = JSON.parse(process.argv[2]!) as Plan

const tell = (report: Report): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!(report, (error: Error | null) => (error ? reject(error) : resolve()))
  })

const until = (instant: number): Promise<void> => wait(Math.max(0, instant - Date.now()))

async function collectedBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc!()
    await wait(10)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function registerAll(starts: Starts) {
  const { register } = await contenders.find(({ name }) => name === plan.contender)!.load()
  const empty = await collectedBytes()
  const tasks = prepareTasks(plan, starts)
  const before = await collectedBytes()
  await tell({ kind: 'registering' })
  const begin = usageNow()
  const stop = await register(tasks, plan)
  const end = usageNow()
  const after = await collectedBytes()
  const registered: Registered = {
    registerMs: end.at - begin.at,
    registerProcessorMs: end.ownMs - begin.ownMs,
    othersShare: othersShare(begin, end),
    addedBytes: after - before,
    wholeBytes: after - empty,
    residentBytes: process.memoryUsage.rss(),
  }
  // Returned, since what nobody holds any more would not be counted.
  return { stop, registered, tasks, before }
}

async function processorAtBoundaryAndRest(starts: Starts) {
  if (plan.rest === null) return { boundaryProcessorMs: null, restShare: null }
  await until(plan.boundary - 500)
  const before = usageNow()
  await until(plan.rest.from)
  const restBegin = usageNow()
  const callsBefore = starts.calls
  await until(plan.rest.until)
  const wasAtRest = starts.calls === callsBefore
  return {
    boundaryProcessorMs: restBegin.ownMs - before.ownMs,
    restShare: wasAtRest ? ownShare(restBegin, usageNow()) : null,
  }
}

async function lastStarts(starts: Starts): Promise<void> {
  const { boundary } = plan
  const startedSoFar = (): number => latenessOf(starts.at, boundary).started
  await until(boundary + 2000)
  let before = 0
  let unchanged = 0
  while (Date.now() < boundary + patienceMs) {
    const started = startedSoFar()
    // Some are left out for good by schedulers that think they are too late.
    unchanged = started > 0 && started === before ? unchanged + 1 : 0
    if (started === plan.dueTasks || unchanged === 5) return
    before = started
    await wait(2000)
  }
}

function latenessOf(starts: Float64Array, boundary: number): Lateness {
  const sorted = starts.filter((start) => !Number.isNaN(start)).sort()
  const after = (index: number): number => (sorted[index] ?? Number.NaN) - boundary
  return {
    started: sorted.length,
    firstMs: after(0),
    medianMs: after(Math.floor((sorted.length - 1) / 2)),
    lastMs: after(sorted.length - 1),
  }
}

async function measureBoundaries(
  starts: Starts,
  registered: Registered,
  bytesBefore: number,
): Promise<Measured> {
  const begin = usageNow()
  const processor = await processorAtBoundaryAndRest(starts)
  await lastStarts(starts)
  const end = usageNow()
  const lateness = latenessOf(starts.at, plan.boundary)
  return {
    ...registered,
    ...processor,
    lateness,
    surplusCalls: starts.calls - lateness.started,
    addedAfterRunsBytes: (await collectedBytes()) - bytesBefore,
    othersShare: Math.max(registered.othersShare, othersShare(begin, end)),
  }
}

async function measure(): Promise<void> {
  const starts = prepareStarts(plan)
  const { stop, registered, tasks, before } = await registerAll(starts)
  if (!plan.isRestart && isTooLateFor(Date.now(), plan)) {
    await tell({ kind: 'too late', registerMs: registered.registerMs })
    process.exit()
  }
  await tell({ kind: 'registered', ...registered })
  if (!plan.isRestart) {
    await tell({ kind: 'measured', ...(await measureBoundaries(starts, registered, before)) })
  }
  await stop()
  process.exit(tasks.length === plan.tasks ? 0 : 1)
}

// The process that asked is gone, and nobody else would end it.
process.once('disconnect', () => process.exit(1))
await measure()
