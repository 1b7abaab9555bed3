import type { Storage, StoredSchedule, TaskRecord } from '@kron/scheduler'

/** Everything that a storage holds. */
export interface Dump {
  readonly schedulerId: string | null
  readonly instanceId: string | null
  readonly tasks: readonly TaskRecord[]
}

class OnlyLooking extends Error {}

/** Read in a transaction that is given up, so that looking changes nothing. */
export async function dumpOf(storage: Storage): Promise<Dump> {
  const seen: Dump[] = []
  const look = (stored: StoredSchedule): never => {
    const { schedulerId, instanceId } = stored
    const tasks = ([...stored.tasks] as TaskRecord[]).sort((a, b) => a.id - b.id)
    seen.push({ schedulerId, instanceId, tasks })
    throw new OnlyLooking()
  }
  await storage.open()
  await storage.change(look).catch((error: unknown) => {
    if (!(error instanceof OnlyLooking)) throw error
  })
  await storage.close()
  return seen[0]!
}

/** What is stored of one task. */
export async function recordOf(storage: Storage, name: string): Promise<TaskRecord> {
  const { tasks } = await dumpOf(storage)
  const record = tasks.find((task) => task.name === name)
  if (record === undefined) throw new Error(`nothing is stored of ${name}`)
  return record
}

/** Another behaviour in the place of some calls of a storage. */
export function changed(storage: Storage, calls: Partial<Storage>): Storage {
  return {
    open: () => storage.open(),
    change: (decide) => storage.change(decide),
    save: (instanceId, records, watched) => storage.save(instanceId, records, watched),
    close: () => storage.close(),
    ...calls,
  }
}

/** A storage in which somebody has put anything. */
export function holding(storage: Storage, tasks: Iterable<unknown>): Storage {
  return changed(storage, {
    change: (decide) => storage.change((stored) => decide({ ...stored, tasks })),
  })
}

/** Epoch milliseconds of an ISO time. */
export const instant = (iso: string): number => Date.parse(iso)
