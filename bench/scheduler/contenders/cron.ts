import { CronJob } from 'cron'
import { nothingToStop, type Register } from './contender.ts'

export const register: Register = async (tasks) => {
  for (const { name, expression, callback } of tasks) {
    CronJob.from({ cronTime: expression, onTick: callback, start: true, name })
  }
  return nothingToStop
}
