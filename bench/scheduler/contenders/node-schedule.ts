import nodeSchedule from 'node-schedule'
import { nothingToStop, type Register } from './contender.ts'

export const register: Register = async (tasks) => {
  for (const { name, expression, callback } of tasks) {
    nodeSchedule.scheduleJob(name, expression, callback)
  }
  return nothingToStop
}
