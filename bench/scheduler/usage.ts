import { cpus } from 'node:os'

/** Processor time until now, of this process and of everybody on the machine. */
export interface Usage {
  readonly at: number
  readonly ownMs: number
  readonly machineMs: number
}

export function usageNow(): Usage {
  const { user, system } = process.cpuUsage()
  let machineMs = 0
  for (const { times } of cpus()) machineMs += times.user + times.nice + times.sys + times.irq
  return { at: performance.now(), ownMs: (user + system) / 1000, machineMs }
}

/** What this process took of one processor between two moments. */
export const ownShare = (from: Usage, to: Usage): number =>
  (to.ownMs - from.ownMs) / (to.at - from.at)

/** What all others took: above a few percent, a figure says more about them than about us. */
export function othersShare(from: Usage, to: Usage): number {
  const others = to.machineMs - from.machineMs - (to.ownMs - from.ownMs)
  // The machine counts in hundredths of a second: shorter times tell nothing.
  return to.at - from.at < 100 ? 0 : Math.max(0, others / (to.at - from.at))
}
