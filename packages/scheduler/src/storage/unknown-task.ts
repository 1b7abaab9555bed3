import type { TaskRecord } from '../task/index.js'

/** A record was to take the place of one that is not there. */
export const unknownTask = ({ id, name }: Pick<TaskRecord, 'id' | 'name'>): Error =>
  new Error(`no task with the id ${id} is stored, which ${JSON.stringify(name)} should have`)
