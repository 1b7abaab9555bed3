/** What a process does. By default it does everything. */
export const roles = ['api', 'worker', 'planner'] as const
export type Role = (typeof roles)[number]
