import { VirtualClock } from '@kron/runtime/testing'
import type { JobState } from '../../src/state/job-state.js'
import { stateFileName } from '../../src/state/state-folder.js'
import { StateStore } from '../../src/state/state-store.js'
import { emptyState, handled } from '../../src/state/transitions.js'
import { type FaultPlan, FaultyDisk } from '../disk/faulty-disk.js'
import { MemoryDisk } from '../disk/memory-disk.js'

export const folder = '/var/lib/krond'
export const uid = 7
export const clock = new VirtualClock(Date.parse('2026-03-01T02:32:20.500Z'))

export const pathOf = (identity: string): string => `${folder}/${stateFileName(identity)}`
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A state of the job that no other number gives. */
export function numbered(identity: string, number: number): JobState {
  const period = { nominal: number * 1000, outcome: 'missed', chosen: null } as const
  return handled(emptyState(identity), period, { at: 0, historyLength: 1 })
}

/** A store on a disk in memory that fails as planned; each `open` is a new life. */
export function make(plan: FaultPlan | null = null, memory = new MemoryDisk({ uid })) {
  const disk = new FaultyDisk(memory, plan)
  const open = (): StateStore => {
    const store = new StateStore({ disk, folder, uid, clock })
    store.open()
    return store
  }
  return { memory, disk, open }
}
