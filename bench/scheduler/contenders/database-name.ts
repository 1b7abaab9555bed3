/** Below the folder of the run; apart, so that its name can be had without loading a scheduler. */
export const databaseName = 'schedule.db'
