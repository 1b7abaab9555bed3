import type { ContenderProcess } from './contender-process.ts'
import type { Entry } from './contenders/index.ts'
import type { Round } from './results.ts'
import type { Arrivals } from './target.ts'
import type { TargetProcess } from './target-process.ts'

/** From the time that all are due. */
const patienceMs = 420_000

/** Between what was prepared and the time. */
const marginMs = 1500

const attempts = 3

export interface Surface {
  readonly target: TargetProcess
  readonly targetUrl: string
}

/** The first full second, or minute, that is at least so far away. */
function dueAfter(aheadMs: number, isCron: boolean): number {
  const unit = isCron ? 60_000 : 1000
  return Math.ceil((Date.now() + aheadMs) / unit) * unit
}

/** One round; again with more time when the preparation was not done before they were due. */
export async function measureRound(
  entry: Entry,
  process: ContenderProcess,
  { target, targetUrl }: Surface,
  count: number,
  expectedPrepareMs: number,
): Promise<Round> {
  let aheadMs = expectedPrepareMs + marginMs
  for (let attempt = 1; ; attempt++) {
    const dueAt = dueAfter(aheadMs, entry.isCron)
    target.reset(count)
    const recorded = process.next('recorded')
    // Who fails before is told so by the other promise.
    recorded.catch(() => {})
    const prepared = process.next('prepared')
    process.assign({ dueAt, count, targetUrl })
    const { tookMs, isLate } = await inTime(prepared, dueAt)
    const { at, processorMs } = await inTime(recorded, dueAt)
    if (!isLate) {
      const recordedMs = entry.isDurable ? at - dueAt : null
      const figures = summaryOf(await target.log(), dueAt)
      return { prepareMs: tookMs, ...figures, recordedMs, processorMs }
    }
    if (attempt === attempts) throw new Error(`not prepared in time, ${attempts} times`)
    aheadMs = tookMs * 1.5 + marginMs
  }
}

async function inTime<T>(promise: Promise<T>, dueAt: number): Promise<T> {
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const reason = `over ${patienceMs / 1000} s`
    limit = setTimeout(() => reject(new Error(reason)), dueAt + patienceMs - Date.now())
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(limit)
  }
}

type Figures = Omit<Round, 'prepareMs' | 'recordedMs' | 'processorMs'>

function summaryOf({ at, requests }: Arrivals, dueAt: number): Figures {
  const late = at
    .filter((instant) => !Number.isNaN(instant))
    .map((instant) => instant - dueAt)
    .sort()
  const share = (part: number): number => late[Math.floor((late.length - 1) * part)] ?? Number.NaN
  const firstMs = share(0)
  const lastLatenessMs = share(1)
  return {
    requests,
    arrived: late.length,
    firstMs,
    p50: share(0.5),
    p99: share(0.99),
    lastLatenessMs,
    runsPerSecond: (late.length - 1) / ((lastLatenessMs - firstMs) / 1000),
  }
}
