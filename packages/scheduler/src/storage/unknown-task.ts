/** A record was to take the place of one that is not there. */
export const unknownTask = (id: number): Error => new Error(`no task with the id ${id} is stored`)
