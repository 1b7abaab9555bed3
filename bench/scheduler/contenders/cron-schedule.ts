import { parseCronExpression } from 'cron-schedule'
import { TimerBasedCronScheduler } from 'cron-schedule/schedulers/timer-based.js'
import { nothingToStop, type Register } from './contender.ts'

export const register: Register = async (tasks) => {
  for (const { expression, callback } of tasks) {
    TimerBasedCronScheduler.setInterval(parseCronExpression(expression), callback)
  }
  return nothingToStop
}
