/** The package has no types; this is the part that is measured. */
declare module 'node-schedule' {
  interface NodeSchedule {
    scheduleJob(name: string, expression: string, callback: () => Promise<void>): object | null
  }

  const nodeSchedule: NodeSchedule
  export default nodeSchedule
}
