import { expect } from 'vitest'
import type { ScheduleChange, Storage, StoredSchedule } from '../../src/storage/storage.js'
import { newRecord, type TaskRecord } from '../../src/task/task-record.js'

export const task = (id: number, name = `task ${id}`): TaskRecord =>
  newRecord(id, { name, expression: `${id % 60} * * * *`, retryDelayMs: 300_000 })

export const tasks = (from: number, to: number): TaskRecord[] =>
  Array.from({ length: to - from }, (_, n) => task(from + n))

export const changeTo = (change: Partial<ScheduleChange>): ScheduleChange => ({
  schedulerId: 'scheduler',
  instanceId: 'first',
  watched: 'watched',
  removed: [],
  added: [],
  replaced: [],
  ...change,
})

/** By id. Throws out of the change, and so leaves the owner as it is. */
export async function contents(
  storage: Storage,
): Promise<StoredSchedule & { tasks: TaskRecord[] }> {
  const enough = new Error('seen enough')
  let found: (StoredSchedule & { tasks: TaskRecord[] }) | undefined
  const reading = storage.change((stored) => {
    found = { ...stored, tasks: ([...stored.tasks] as TaskRecord[]).sort((a, b) => a.id - b.id) }
    throw enough
  })
  await expect(reading).rejects.toBe(enough)
  return found!
}
