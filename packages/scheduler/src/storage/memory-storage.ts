import { SupersededError } from '../errors/index.js'
import type { TaskRecord } from '../task/task-record.js'
import { decision, sharedUse } from './call-rules.js'
import { type ScheduleChange, type Storage, type StoredSchedule, unknownTask } from './storage.js'

/**
 * Keeps everything in this object and nothing on disk: for tests, and for tasks whose history may
 * be lost with the process. Schedulers that share the object see each other's state.
 */
export function memoryStorage(): Storage {
  const nothing = (): void => {}
  const use = sharedUse(nothing, nothing)
  let schedule: Omit<StoredSchedule, 'tasks'> = {
    schedulerId: null,
    instanceId: null,
    watched: null,
  }
  let tasks = new Map<number, TaskRecord>()

  function change(decide: (stored: StoredSchedule) => ScheduleChange): void {
    const decided = decision(decide, schedule, [tasks.values()])
    // Taken over at the end and as a whole: whatever throws before leaves everything as it was.
    const changed = changedTasks(tasks, decided)
    const { schedulerId, instanceId, watched } = decided
    tasks = changed
    schedule = { schedulerId, instanceId, watched }
  }

  function save(instanceId: string, records: readonly TaskRecord[], watched: string): void {
    if (instanceId !== schedule.instanceId) {
      throw new SupersededError(instanceId, schedule.instanceId)
    }
    for (const record of records) if (!tasks.has(record.id)) throw unknownTask(record)
    for (const record of records) tasks.set(record.id, record)
    schedule = { ...schedule, watched }
  }

  return {
    async open() {
      use.open()
    },
    async change(decide) {
      use.call(() => change(decide))
    },
    async save(instanceId, records, watched) {
      use.call(() => save(instanceId, records, watched))
    },
    async close() {
      use.close()
    },
  }
}

function changedTasks(
  tasks: ReadonlyMap<number, TaskRecord>,
  { removed, added, replaced }: ScheduleChange,
): Map<number, TaskRecord> {
  const changed = new Map(tasks)
  for (const id of removed) changed.delete(id)
  for (const record of replaced) {
    if (!changed.has(record.id)) throw unknownTask(record)
    changed.set(record.id, record)
  }
  for (const record of added) {
    if (changed.has(record.id)) throw new Error(`a task with the id ${record.id} is stored already`)
    changed.set(record.id, record)
  }
  return changed
}
