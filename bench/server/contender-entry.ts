/** The process of one contender: creates it once, and does its rounds when it is told to. */
import type { Assignment, Surroundings } from './contender.ts'
import { entries } from './contenders/index.ts'

export interface Start extends Surroundings {
  readonly name: string
}

/** What the process tells, in this order; the last two again for each round. */
export type Progress =
  | { readonly kind: 'created' }
  | { readonly kind: 'prepared'; readonly tookMs: number; readonly isLate: boolean }
  | { readonly kind: 'recorded'; readonly at: number; readonly processorMs: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Who stores later than this before the time is given more of it. */
const minLeadMs = 200

const tell = (progress: Progress): void => void process.send!(progress)

const { name, ...surroundings } = JSON.parse(process.argv[2]!) as Start
const entry = entries.find((known) => known.name === name)!
const { create } = await entry.load()
const contender = await create(surroundings)

async function doRound(assignment: Assignment): Promise<void> {
  const begin = performance.now()
  await contender.prepare(assignment)
  const isLate = Date.now() > assignment.dueAt - minLeadMs
  tell({ kind: 'prepared', tookMs: performance.now() - begin, isLate })
  const before = process.cpuUsage()
  // Late jobs are worked off, so that they are gone; a minute that has passed sends nothing.
  if (!(isLate && entry.isCron)) await contender.run()
  const { user, system } = process.cpuUsage(before)
  const at = Date.now()
  await contender.rest()
  tell({ kind: 'recorded', at, processorMs: (user + system) / 1000 })
}

process.on('message', (assignment: Assignment) => {
  doRound(assignment).catch((error: Error) => tell({ kind: 'failed', reason: error.message }))
})
process.once('disconnect', () => process.exit())
tell({ kind: 'created' })
